import { isExact } from '../document/exact.ts'
import type { Numeric } from '../document/exact.ts'
import type { Json } from '../kernel/json.ts'

/**
 * The algebra that every schema dialect is brought into. A node is a set of JSON values; nodes are interned, so that
 * equal nodes are the same object and a set of nodes is a set of numbers. Every atom that speaks about one JSON type holds
 * for all values of the other types, as in JSON Schema.
 */
export type Node = { readonly id: number } & Shape

export type Shape =
  | { readonly op: 'true' | 'false' }
  | { readonly op: 'all' | 'any' | 'one'; readonly parts: readonly Node[] }
  | { readonly op: 'not'; readonly part: Node }
  /** A place of a document, resolved when someone asks: that is how cyclic schemas stay finite. */
  | { readonly op: 'ref'; readonly key: string }
  | { readonly op: 'types'; readonly mask: number }
  | { readonly op: 'values'; readonly values: readonly Json[]; readonly keys: ReadonlySet<string> }
  | { readonly op: 'min' | 'max'; readonly bound: Numeric; readonly exclusive: boolean }
  | { readonly op: 'multiple'; readonly step: Numeric }
  | { readonly op: CountOp; readonly count: number }
  | { readonly op: 'pattern'; readonly source: string }
  | { readonly op: 'format'; readonly name: string }
  | { readonly op: 'unique' }
  | { readonly op: 'items'; readonly prefix: readonly Node[]; readonly rest: Node }
  | { readonly op: 'contains'; readonly part: Node; readonly min: number; readonly max: number }
  | { readonly op: 'required' | 'lacks'; readonly name: string }
  | {
      readonly op: 'object'
      readonly named: ReadonlyMap<string, Node>
      readonly patterns: readonly (readonly [string, Node])[]
      readonly extra: Node
      /** It only lists properties: who does not know them need not be expected to send them. */
      readonly implicit: boolean
    }
  | { readonly op: 'names'; readonly part: Node }
  /** Something outside of the algebra: equal to itself and otherwise undecided. */
  | { readonly op: 'opaque'; readonly what: string }

export type CountOp = 'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minProperties' | 'maxProperties'

/** JSON types as bits. `integer` is not a type of its own: it is a number that is a multiple of 1. */
export const typeBit = { null: 1, boolean: 2, number: 4, string: 8, array: 16, object: 32 } as const
export type TypeName = keyof typeof typeBit
export const typeNames = Object.keys(typeBit) as readonly TypeName[]
export const allTypes = 63

export const typeOf = (value: Json): TypeName => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return isExact(value) ? 'number' : (typeof value as TypeName)
}

/** The one text of a value: keys sorted, so that equal values have equal texts. */
export const canonical = (value: Json): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isExact(value)) return value.text
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, it]) => `${JSON.stringify(key)}:${canonical(it)}`).join(',')}}`
}

/** Which atoms constrain which type: where the types of a goal exclude it, the atom says nothing. */
export const scopeOf = (node: Node): number => {
  switch (node.op) {
    case 'min':
    case 'max':
    case 'multiple':
      return typeBit.number
    case 'minLength':
    case 'maxLength':
    case 'pattern':
      return typeBit.string
    case 'format':
      return numberFormats.has(node.name) ? typeBit.number : typeBit.string
    case 'unique':
    case 'items':
    case 'contains':
    case 'minItems':
    case 'maxItems':
      return typeBit.array
    case 'required':
    case 'lacks':
    case 'object':
    case 'names':
    case 'minProperties':
    case 'maxProperties':
      return typeBit.object
    default:
      return allTypes
  }
}

/** Formats of numbers, each with the formats that it is within. */
export const numberFormats: ReadonlyMap<string, readonly string[]> = new Map([
  ['int32', ['int64', 'double']],
  ['int64', []],
  ['float', ['double']],
  ['double', []],
])

/** Makes nodes. One factory serves one comparison: ids are meaningful only within it. */
export class NodeFactory {
  private readonly interned = new Map<string, Node>()
  readonly nodes: Node[] = []
  readonly always: Node = this.make('true', { op: 'true' })
  readonly never: Node = this.make('false', { op: 'false' })

  private make(key: string, shape: Shape): Node {
    const known = this.interned.get(key)
    if (known) return known
    const node = { id: this.nodes.length + 1, ...shape } as Node
    this.nodes.push(node)
    this.interned.set(key, node)
    return node
  }

  byId(id: number): Node {
    return this.nodes[id - 1]!
  }

  all(parts: readonly Node[]): Node {
    if (parts.length === 1) return parts[0]!
    const flat = new Map<number, Node>()
    let mask = allTypes
    for (const part of parts) {
      for (const it of part.op === 'all' ? part.parts : [part]) {
        if (it.op === 'false') return this.never
        if (it.op === 'types') mask &= it.mask
        else if (it.op !== 'true') flat.set(it.id, it)
      }
    }
    if (mask === 0) return this.never
    if (mask !== allTypes) {
      const types = this.types(mask)
      flat.set(types.id, types)
    }
    const sorted = [...flat.values()].sort((a, b) => a.id - b.id)
    if (sorted.length === 0) return this.always
    if (sorted.length === 1) return sorted[0]!
    return this.make(`all ${ids(sorted)}`, { op: 'all', parts: sorted })
  }

  any(parts: readonly Node[]): Node {
    if (parts.length === 1) return parts[0]!
    const flat = new Map<number, Node>()
    let mask = 0
    for (const part of parts) {
      for (const it of part.op === 'any' ? part.parts : [part]) {
        if (it.op === 'true') return this.always
        if (it.op === 'types') mask |= it.mask
        else if (it.op !== 'false') flat.set(it.id, it)
      }
    }
    if (mask === allTypes) return this.always
    if (mask !== 0) {
      const types = this.types(mask)
      flat.set(types.id, types)
    }
    const sorted = [...flat.values()].sort((a, b) => a.id - b.id)
    if (sorted.length === 0) return this.never
    if (sorted.length === 1) return sorted[0]!
    return this.make(`any ${ids(sorted)}`, { op: 'any', parts: sorted })
  }

  /** Exactly one; unlike the others it counts a repeated part twice. */
  one(parts: readonly Node[]): Node {
    if (parts.length === 1) return parts[0]!
    const sorted = [...parts].filter((part) => part.op !== 'false').sort((a, b) => a.id - b.id)
    if (sorted.length === 0) return this.never
    if (sorted.length === 1) return sorted[0]!
    return this.make(`one ${ids(sorted)}`, { op: 'one', parts: sorted })
  }

  not(part: Node): Node {
    if (part.op === 'not') return part.part
    if (part.op === 'true') return this.never
    if (part.op === 'false') return this.always
    if (part.op === 'types') return this.types(allTypes & ~part.mask)
    return this.make(`not ${part.id}`, { op: 'not', part })
  }

  types(mask: number): Node {
    if (mask === allTypes) return this.always
    if (mask === 0) return this.never
    return this.make(`types ${mask}`, { op: 'types', mask })
  }

  values(values: readonly Json[]): Node {
    const byKey = new Map(values.map((value) => [canonical(value), value]))
    if (byKey.size === 0) return this.never
    const keys = [...byKey.keys()].sort()
    if (keys.length === 1 && keys[0] === 'null') return this.types(typeBit.null)
    if (keys.length === 2 && byKey.has('true') && byKey.has('false')) return this.types(typeBit.boolean)
    return this.make(`values ${keys.join(' ')}`, {
      op: 'values',
      values: keys.map((key) => byKey.get(key)!),
      keys: new Set(keys),
    })
  }

  ref(key: string): Node {
    return this.make(`ref ${key}`, { op: 'ref', key })
  }

  bound(op: 'min' | 'max', bound: Numeric, exclusive: boolean): Node {
    return this.make(`${op} ${String(bound)} ${exclusive}`, { op, bound, exclusive })
  }

  multiple(step: Numeric): Node {
    return this.make(`multiple ${String(step)}`, { op: 'multiple', step })
  }

  count(op: CountOp, count: number): Node {
    if (count <= 0 && op.startsWith('min')) return this.always
    return this.make(`${op} ${count}`, { op, count })
  }

  pattern(source: string): Node {
    return source === '' ? this.always : this.make(`pattern ${source}`, { op: 'pattern', source })
  }

  format(name: string): Node {
    return this.make(`format ${name}`, { op: 'format', name })
  }

  unique(): Node {
    return this.make('unique', { op: 'unique' })
  }

  items(prefix: readonly Node[], rest: Node): Node {
    const cut = [...prefix]
    while (cut.length > 0 && cut[cut.length - 1] === rest) cut.pop()
    if (cut.length === 0 && rest.op === 'true') return this.always
    return this.make(`items ${ids(cut)} ${rest.id}`, { op: 'items', prefix: cut, rest })
  }

  contains(part: Node, min: number, max: number): Node {
    if (min <= 0 && max === Infinity) return this.always
    return this.make(`contains ${part.id} ${min} ${max}`, { op: 'contains', part, min, max })
  }

  required(name: string): Node {
    return this.make(`required ${name}`, { op: 'required', name })
  }

  lacks(name: string): Node {
    return this.make(`lacks ${name}`, { op: 'lacks', name })
  }

  object(
    named: ReadonlyMap<string, Node>,
    patterns: readonly (readonly [string, Node])[],
    extra: Node,
    implicit: boolean,
  ): Node {
    if (named.size === 0 && patterns.length === 0 && extra.op === 'true') return this.always
    const names = inOrder([...named])
    const sortedPatterns = inOrder(patterns)
    // Names say first how long they are, so that no two lists have one text.
    let key = 'object '
    for (const [name, it] of names) key += `${name.length}:${name}:${it.id},`
    key += ' '
    for (const [name, it] of sortedPatterns) key += `${name.length}:${name}:${it.id},`
    key += ` ${extra.id} ${implicit}`
    return this.make(key, { op: 'object', named: new Map(names), patterns: sortedPatterns, extra, implicit })
  }

  names(part: Node): Node {
    return part.op === 'true' ? part : this.make(`names ${part.id}`, { op: 'names', part })
  }

  opaque(what: string): Node {
    return this.make(`opaque ${what}`, { op: 'opaque', what })
  }
}

type Named = readonly [string, Node]

/** Entries by their names; most come in this order. */
const inOrder = (entries: readonly Named[]): readonly Named[] => {
  for (let i = 1; i < entries.length; i++)
    if (entries[i]![0] < entries[i - 1]![0]) return [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
  return entries
}

const ids = (nodes: readonly Node[]): string => nodes.map((node) => node.id).join(',')
