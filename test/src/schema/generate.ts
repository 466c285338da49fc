/** Pairs of schemas and values to attack containment with; the same ones for the same seed. */
import { isObject } from '../../../src/kernel/json.ts'
import type { Json } from '../../../src/kernel/json.ts'

type Mutable = { [key: string]: Json }

const scalars: readonly Json[] = [
  null,
  true,
  false,
  -2,
  0,
  1,
  2,
  3,
  4,
  6,
  0.5,
  '',
  'a',
  'b',
  'ab',
  'aab',
  'bbb',
  'abcd',
  'xyzzy',
  'é',
  '😀',
  '😀a',
  1e15,
  -1e12,
  { a: 1 },
  [1, 'a'],
]
/** Steps that binary numbers hold exactly: of others a validator that divides cannot tell. */
const steps = [0.25, 0.5, 1, 2, 3, 4, 1.5, 1000] as const
const bounds = [-3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 4, 5, 1e15, -1e12] as const
const names = ['a', 'b', 'c'] as const
const patterns = ['^a', 'b$', '^[ab]*$', '^a{1,3}$', 'c', '^.{2}$', '^(a|bb)+$', '[^a]'] as const

/** What holds schemas and is none, and what a reference names and an edit has to leave where it is. */
const apart: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'node',
  'anchored',
  'resource',
  'tree',
  'strict',
])

/** A document that only names schemas is compared name by name: no instance could judge that. */
const saying = (schema: Mutable): Mutable =>
  Object.keys(schema).every((key) => key === '$defs') ? { allOf: [true], ...schema } : schema

/** The schemas without definitions that neither refers to: these cost time and decide nothing. */
const pruned = (base: Mutable, head: Mutable): readonly [Mutable, Mutable] => {
  const without = (schema: Mutable): Mutable =>
    Object.fromEntries(Object.entries(schema).filter(([word]) => word !== '$defs'))
  const [one, other] = [without(base), without(head)]
  return JSON.stringify([one, other]).includes('"$ref"') ? [base, head] : [one, other]
}

/** A copy that no reference names: a name may stand once. */
const unnamed = (value: Json): Json => {
  if (Array.isArray(value)) return (value as readonly Json[]).map(unnamed)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, it]) => (key === '$id' || key === '$anchor' ? [] : [[key, unnamed(it)]])),
  )
}

/** Makes schemas of the whole vocabulary of 2020-12 that speaks about values, with a cycle through `#/$defs/node`. */
export class Generator {
  private readonly random: () => number

  /** Whether this pair has conditions or counts what is evaluated: of both together the judge cannot tell. */
  private conditional = true

  constructor(random: () => number) {
    this.random = random
  }

  below(count: number): number {
    return Math.floor(this.random() * count)
  }

  chance(part: number): boolean {
    return this.random() < part
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  private some<T>(list: readonly T[], part = 0.4): T[] {
    return list.filter(() => this.chance(part))
  }

  /** A pair: unrelated, or the second one an edit of the first. */
  pair(): readonly [Json, Json] {
    this.conditional = this.chance(0.8)
    const base = this.root()
    if (this.chance(0.25)) return pruned(saying(base), saying(this.root()))
    const head = structuredClone(base)
    for (let edits = 1 + this.below(3); edits > 0; edits--) this.edit(head)
    const [a, b] = pruned(saying(base), saying(head))
    return this.chance(0.5) ? [a, b] : [b, a]
  }

  private root(): Mutable {
    const schema = this.schema(3)
    const named = (name: string, words: Mutable, depth: number): Mutable => {
      const made = this.schema(depth)
      return { [name]: isObject(made) ? { ...words, ...made } : { ...words, allOf: [made] } }
    }
    return {
      ...(isObject(schema) ? schema : { allOf: [schema] }),
      $defs: {
        node: this.schema(1),
        ...named('anchored', { $anchor: 'anchored' }, 1),
        // A resource of its own cannot reach what stands beside it.
        ...named('resource', { $id: 'https://schemas.example/resource' }, 0),
        // What the children of a tree are is decided by the one that is entered first.
        tree: {
          $id: 'https://schemas.example/tree',
          $dynamicAnchor: 'node',
          type: this.pick(['object', 'array']),
          properties: { a: this.schema(0), b: { $dynamicRef: '#node' } },
          items: { $dynamicRef: '#node' },
        },
        strict: {
          $id: 'https://schemas.example/strict',
          $dynamicAnchor: 'node',
          $ref: 'tree',
          ...this.keywords({ maxItems: () => this.below(3), maxProperties: () => this.below(3) }),
        },
      },
    }
  }

  private reference(): Mutable {
    const turn = this.random()
    if (turn < 0.7) return { $ref: '#/$defs/node' }
    if (turn < 0.8) return { $ref: '#anchored' }
    if (turn < 0.88) return { $ref: 'https://schemas.example/resource' }
    return { $ref: `https://schemas.example/${this.pick(['tree', 'strict'])}` }
  }

  schema(depth: number): Json {
    if (this.chance(0.04)) return this.chance(0.8)
    if (depth > 0 && this.chance(0.28)) return this.combination(depth)
    if (depth > 0 && this.chance(0.06)) return this.reference()
    const kind = this.pick(['string', 'number', 'array', 'object', 'object', 'values', 'types'])
    const made = this.ofKind(kind, depth)
    if (kind !== 'values' && kind !== 'types' && this.chance(0.75))
      made.type = kind === 'number' && this.chance(0.5) ? 'integer' : kind
    return made
  }

  private ofKind(kind: string, depth: number): Mutable {
    switch (kind) {
      case 'string':
        return this.keywords({
          minLength: () => this.below(4),
          maxLength: () => this.below(5),
          pattern: () => this.pick(patterns),
        })
      case 'number':
        return this.keywords({
          minimum: () => this.pick(bounds),
          maximum: () => this.pick(bounds),
          exclusiveMinimum: () => this.pick(bounds),
          exclusiveMaximum: () => this.pick(bounds),
          multipleOf: () => this.pick(steps),
        })
      case 'array': {
        const common = {
          items: () => this.schema(depth - 1),
          minItems: () => this.below(3),
          maxItems: () => this.below(4),
          uniqueItems: () => true,
        }
        const first = (): Json => [this.schema(depth - 1), ...(this.chance(0.4) ? [this.schema(depth - 1)] : [])]
        if (this.chance(0.5))
          return {
            ...this.keywords({ ...common, prefixItems: first }),
            ...(!this.conditional && this.chance(0.3)
              ? { unevaluatedItems: this.chance(0.6) ? false : this.schema(depth - 1) }
              : {}),
          }
        const made = this.keywords({ ...common, contains: () => this.schema(depth - 1) })
        if (made.contains === undefined) return made
        return { ...made, ...this.keywords({ minContains: () => this.below(3), maxContains: () => this.below(3) }) }
      }
      case 'object':
        return this.object(depth)
      case 'types':
        return {
          type: this.some(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'], 0.4)
            .concat('boolean')
            .filter((it, i, all) => all.indexOf(it) === i),
        }
      default:
        if (this.chance(0.25)) return { const: structuredClone(this.pick(scalars)) }
        return {
          enum: structuredClone([...new Set([this.pick(scalars), this.pick(scalars), ...this.some(scalars, 0.2)])]),
        }
    }
  }

  private keywords(makers: Readonly<Record<string, () => Json>>): Mutable {
    return Object.fromEntries(this.some(Object.entries(makers), 0.4).map(([word, make]) => [word, make()]))
  }

  private object(depth: number): Mutable {
    const sub = (): Json => this.schema(depth - 1)
    return {
      ...(this.chance(0.8)
        ? { properties: Object.fromEntries(this.some(names, 0.6).map((name) => [name, sub()])) }
        : {}),
      ...(this.chance(0.5) ? { required: this.some(names) } : {}),
      ...(this.chance(0.3) ? { additionalProperties: this.chance(0.5) ? false : sub() } : {}),
      ...(this.chance(0.1) ? { patternProperties: { [this.pick(patterns)]: sub() } } : {}),
      ...(this.chance(0.08) ? { propertyNames: this.propertyNames() } : {}),
      ...(this.chance(0.1) ? { minProperties: this.below(3) } : {}),
      ...(this.chance(0.1) ? { maxProperties: this.below(4) } : {}),
      ...(this.chance(0.08) ? { dependentRequired: { [this.pick(names)]: this.some(names) } } : {}),
      ...(this.chance(0.08)
        ? { dependentSchemas: { [this.pick(names)]: sub() } }
        : !this.conditional && this.chance(0.25)
          ? { unevaluatedProperties: this.chance(0.6) ? false : sub() }
          : {}),
    }
  }

  private propertyNames(): Json {
    return this.pick<Json>([
      { [this.pick(['maxLength', 'minLength'])]: this.below(3) },
      { pattern: this.pick(patterns) },
      { enum: this.some(names, 0.6).concat('a') },
      { not: { const: this.pick(names) } },
    ])
  }

  private combination(depth: number): Mutable {
    const list = (count: number): Json[] => Array.from({ length: count }, () => this.schema(depth - 1))
    switch (this.pick(['anyOf', 'oneOf', 'allOf', 'not', this.conditional ? 'if' : 'allOf'])) {
      case 'anyOf':
        return { anyOf: list(1 + this.below(3)) }
      case 'oneOf':
        return { oneOf: list(1 + this.below(3)) }
      case 'allOf':
        return { allOf: list(1 + this.below(2)) }
      case 'not':
        return { not: this.schema(depth - 1) }
      default:
        return {
          if: this.schema(depth - 1),
          ...(this.chance(0.8) ? { then: this.schema(depth - 1) } : {}),
          ...(this.chance(0.5) ? { else: this.schema(depth - 1) } : {}),
        }
    }
  }

  /** Changes one schema somewhere in it: a bound moved, a keyword gone or come, a part replaced or wrapped. */
  private edit(root: Json): void {
    const tree = isObject(root) && isObject(root.$defs) ? root.$defs.tree : undefined
    if (isObject(tree) && isObject(tree.properties) && this.chance(0.15))
      Object.assign(tree, { properties: { ...tree.properties, a: this.schema(0) } })
    const spots: [Mutable | Json[], string][] = []
    const visit = (value: Json): void => {
      if (typeof value !== 'object' || value === null) return
      for (const key of Object.keys(value)) {
        const it = (value as Mutable)[key]!
        if (
          key === 'resource' ||
          key === 'tree' ||
          key === 'strict' ||
          key === 'enum' ||
          key === 'const' ||
          key === 'required' ||
          key === 'type' ||
          key === 'dependentRequired'
        )
          continue
        if (isObject(it) && !apart.has(key)) spots.push([value as Mutable, key])
        visit(it)
      }
    }
    visit(root)
    const spot = spots.length > 0 && this.chance(0.7) ? this.pick(spots) : null
    const schema = (spot ? (spot[0] as Mutable)[spot[1]]! : root) as Mutable
    const word = this.pick(
      Object.keys(schema)
        .filter((key) => !key.startsWith('$'))
        .concat('type'),
    )
    const value = schema[word]
    const turn = this.random()
    if (typeof value === 'number' && turn < 0.6)
      schema[word] = Math.max(
        word === 'multipleOf' ? 1 : word.startsWith('m') && word.length > 7 ? 0 : -5,
        value + this.pick([-1, 1]),
      )
    else if (Array.isArray(value) && value.length > 1 && turn < 0.5) schema[word] = value.filter((_, i) => i > 0)
    else if (turn < 0.25 && word !== 'type') delete schema[word]
    else if (turn < 0.5) Object.assign(schema, this.ofKind(this.pick(['string', 'number', 'array', 'object']), 1))
    else if (spot && turn < 0.75)
      (spot[0] as Mutable)[spot[1]] = this.pick([
        { allOf: [schema] },
        this.split(schema),
        { anyOf: [schema, this.schema(1)] },
        { oneOf: [schema] },
        { not: { not: schema } },
        this.conditional ? { if: this.schema(0), then: schema, else: unnamed(schema) } : { allOf: [schema, true] },
      ])
    else if (spot) (spot[0] as Mutable)[spot[1]] = this.schema(1)
    else schema.required = [this.pick(names)]
  }

  /** The keywords of a schema over two parts, one of them perhaps once more with another value. */
  private split(schema: Mutable): Mutable {
    const [one, other]: [Mutable, Mutable] = [{}, {}]
    for (const [word, it] of Object.entries(schema)) (this.chance(0.5) ? one : other)[word] = it
    if (this.chance(0.5))
      Object.assign(this.pick([one, other]), unnamed(this.ofKind(this.pick(['string', 'object']), 0)))
    return { allOf: [one, other] }
  }

  /** Some value, of the kind that the schemas tell apart. */
  value(depth = 2): Json {
    if (depth === 0 || this.chance(0.4)) return this.pick(scalars)
    if (this.chance(0.4)) return Array.from({ length: this.below(4) }, () => this.value(depth - 1))
    return Object.fromEntries(this.some([...names, 'd'], 0.5).map((name) => [name, this.value(depth - 1)]))
  }

  /** A value near to what the schema asks: it follows the keywords and does not look at how they interact. */
  near(schema: Json, root: Json, depth = 4): Json {
    if (!isObject(schema) || depth === 0) return this.value(1)
    if (typeof schema.$ref === 'string')
      return this.near(isObject(root) && isObject(root.$defs) ? root.$defs.node! : true, root, depth - 1)
    if (schema.const !== undefined) return schema.const
    if (Array.isArray(schema.enum)) return this.pick(schema.enum as readonly Json[])
    for (const word of ['anyOf', 'oneOf', 'allOf'] as const) {
      const list = schema[word]
      if (Array.isArray(list) && list.length > 0 && this.chance(0.7))
        return this.near(this.pick(list as readonly Json[]), root, depth - 1)
    }
    if (schema.then !== undefined && this.chance(0.5)) return this.near(schema.then, root, depth - 1)
    const type =
      typeof schema.type === 'string'
        ? schema.type
        : Array.isArray(schema.type)
          ? this.pick(schema.type as readonly Json[])
          : this.guess(schema)
    if (type === 'object') {
      const properties = isObject(schema.properties) ? schema.properties : {}
      const required = Array.isArray(schema.required) ? (schema.required as readonly string[]) : []
      const wanted = new Set([...required, ...this.some(Object.keys(properties), 0.6), ...this.some(names, 0.1)])
      return Object.fromEntries(
        [...wanted].map((name) => [
          name,
          this.near(properties[name] ?? schema.additionalProperties ?? true, root, depth - 1),
        ]),
      )
    }
    if (type === 'array') {
      const prefix = Array.isArray(schema.prefixItems) ? (schema.prefixItems as readonly Json[]) : []
      const least = typeof schema.minItems === 'number' ? schema.minItems : 0
      return Array.from({ length: least + this.below(3) }, (_, i) =>
        this.near(prefix[i] ?? schema.items ?? schema.contains ?? true, root, depth - 1),
      )
    }
    if (type === 'integer' || type === 'number') {
      const bound =
        [schema.minimum, schema.maximum, schema.exclusiveMinimum, schema.exclusiveMaximum].find(
          (it) => typeof it === 'number',
        ) ?? 0
      return bound + this.pick([-1, 0, 0, 1, 0.5, 2])
    }
    if (type === 'string') return 'aab'.repeat(2).slice(this.below(3), this.below(7))
    return this.pick(scalars)
  }

  private guess(schema: Json): string {
    const text = Object.keys(schema as Mutable).join(' ')
    if (/ropert|required|dependent/.test(text)) return 'object'
    if (/tems|contains/.test(text)) return 'array'
    if (/imum|multiple/.test(text)) return 'number'
    return /ength|pattern/.test(text) ? 'string' : 'null'
  }
}
