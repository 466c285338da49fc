import type { Json } from '../../kernel/json.ts'
import type { Comparer } from '../../schema/containment.ts'
import { typeBit } from '../../schema/node.ts'
import type { Node, NodeFactory } from '../../schema/node.ts'
import type { Separator } from './forms.ts'
import { NumbersAsTexts } from './numbers-as-texts.ts'
import { readingsOfForm, readingsOfText } from './readings.ts'
import type { Readings, Separating } from './readings.ts'

const scalars = typeBit.string | typeBit.number | typeBit.boolean

/** More values than these are not looked at one by one. */
const manyValues = 200

type All = readonly Node[]

/**
 * Parameters and headers travel as text: what counts is whether the reader understands the text that the sender writes. A text that
 * looks like a number is read as one where a number is wanted, a number as a text where a text is wanted, and a single text as a
 * list of one.
 */
export class TextReader {
  private readonly factory: NodeFactory
  private readonly comparer: Comparer
  private readonly resolve: (key: string) => Node
  private readonly numbers: NumbersAsTexts

  constructor(factory: NodeFactory, comparer: Comparer, resolve: (key: string) => Node) {
    this.factory = factory
    this.comparer = comparer
    this.resolve = resolve
    this.numbers = new NumbersAsTexts(factory, (outer, inner) => this.holds(outer, inner))
  }

  /**
   * The values whose texts `reader` accepts: at least those that can be written by `sender`.
   *
   * @param from how the sender separates the items of an array.
   * @param to how the reader separates them.
   */
  widen(reader: Node, sender: Node, from: Separator, to: Separator): Node {
    const { factory } = this
    return factory.any([
      reader,
      ...this.scalars(reader, sender),
      ...this.listsOfOne(reader, sender, to),
      ...this.joined(reader, sender, from),
      ...this.inside(reader, sender),
    ])
  }

  /**
   * The objects that `reader` accepts where some of their properties travel as texts, as in forms.
   *
   * @param parts how the writer and the reader of such a property separate the items of an array
   */
  widenForm(reader: Node, sender: Node, parts: ReadonlyMap<string, Separating>): Node {
    const { factory } = this
    const sent = this.branches(sender).flatMap((all) => all.filter((it) => it.op === 'object'))
    const read = (name: string, node: Node): Node => {
      const part = parts.get(name)
      const by = sent.flatMap((it) => it.named.get(name) ?? [])
      if (!part) return node
      return this.widen(node, by.length === 0 ? factory.types(scalars) : factory.any(by), part.from, part.to)
    }
    const widened = this.branches(reader).flatMap((all): All => {
      const object = onlyOne(all, 'object')
      if (object === undefined) return []
      const named = new Map([...object.named].map(([name, it]) => [name, read(name, it)]))
      const changed = factory.object(named, object.patterns, object.extra, object.implicit)
      return [factory.all(all.map((it) => (it === object ? changed : it)))]
    })
    return factory.any([reader, ...widened])
  }

  /** Whether what a value looks like on the wire is accepted, read as whatever it can be; null where that is not decided. */
  reads(reader: Node, value: Json, by: Separating = { from: 'none', to: 'none' }): boolean | null {
    return this.acceptsOne(reader, readingsOfText(value, by))
  }

  /** The same of a form, whose properties of `parts` travel as texts. */
  readsForm(reader: Node, value: Json, parts: ReadonlyMap<string, Separating>): boolean | null {
    return this.acceptsOne(reader, readingsOfForm(value, parts))
  }

  private acceptsOne(reader: Node, { values, isComplete }: Readings): boolean | null {
    let isDecided = isComplete
    for (const value of values) {
      const holds = this.comparer.solver.holds(reader.id, value)
      if (holds === true) return true
      isDecided &&= holds === false
    }
    return isDecided ? false : null
  }

  private holds(outer: Node, inner: Node): boolean {
    return this.comparer.contains(outer, inner).is === 'contained'
  }

  private typesOf(node: Node): number {
    return this.comparer.solver.survey.typesOf(node.id)
  }

  private scalars(reader: Node, sender: Node): All {
    const { factory } = this
    const found: Node[] = []
    const types = this.typesOf(sender)
    const texts = factory.types(typeBit.string)
    const allTexts = this.holds(reader, texts)
    // A type that is beside `string` is a guarantee of its own: without it the text is no longer read as a number.
    const plain = (types & typeBit.string) === 0
    if (plain && (types & typeBit.number) !== 0) found.push(...this.numbers.sent(reader, sender, allTexts))
    if (plain && (types & typeBit.boolean) !== 0)
      found.push(
        factory.values([true, false].filter((it) => allTexts || this.holds(reader, factory.values([String(it)])))),
      )
    if ((types & typeBit.string) !== 0 && !allTexts) {
      found.push(...this.numbers.read(reader))
      if (this.holds(reader, factory.types(typeBit.boolean))) found.push(factory.values(['true', 'false']))
    }
    const listed = this.finite(sender)
    if (listed) found.push(factory.values(listed.filter((it) => this.reads(reader, it) === true)))
    return found
  }

  /** Single texts that the reader takes for lists. */
  private listsOfOne(reader: Node, sender: Node, to: Separator): All {
    const { factory } = this
    if (to === 'none' || (this.typesOf(sender) & scalars) === 0 || (this.typesOf(reader) & typeBit.array) === 0)
      return []
    const lists = to === 'repeat' || (this.typesOf(sender) & typeBit.string) === 0 ? [] : this.textsOfLists(reader, to)
    // A text with a separator would be taken for several items.
    const whole = factory.all([
      factory.types(scalars),
      ...(to === 'repeat' ? [] : [factory.pattern(`^[^${to === '\t' ? '\\t' : to}]*$`)]),
      ...(to === '.' ? [factory.any([factory.types(scalars & ~typeBit.number), factory.multiple(1)])] : []),
    ])
    const single = this.branches(reader).flatMap((parts): All => {
      const { min, max, first } = readArray(factory, parts)
      if (min > 1 || max < 1) return []
      return [factory.all([whole, factory.any([first, ...this.scalars(first, sender)])])]
    })
    return [...lists, ...single]
  }

  /** The texts that a reader takes for one of its lists, where its items are known exactly. */
  private textsOfLists(reader: Node, separator: Separator): All {
    const { factory } = this
    return this.branches(reader).flatMap((parts): All => {
      const source = this.sourceOfLists(parts, separator)
      return source === null ? [] : [factory.all([factory.types(typeBit.string), factory.pattern(source)])]
    })
  }

  /** A regular expression for the lists of these conditions as one text; null where it is not known exactly. */
  private sourceOfLists(parts: All, separator: Separator): string | null {
    const isKnown = parts.every((it) => ['types', 'items', 'minItems', 'maxItems'].includes(it.op))
    const items = onlyOne(parts, 'items')
    if (!isKnown || items === undefined || items.prefix.length > 0) return null
    const { min, max } = readArray(this.factory, parts)
    const item = this.sourceOf(items.rest)
    // No text is an empty list.
    if (item === null || max < 1 || (max !== Infinity && max > manyValues) || min > manyValues) return null
    const rest = `{${Math.max(0, min - 1)},${max === Infinity ? '' : max - 1}}`
    return `^${item}(?:${escaped(separator)}${item})${rest}$`
  }

  /** A regular expression for the texts of single values; null where it is not known exactly. */
  private sourceOf(node: Node): string | null {
    const listed = this.finite(node)
    if (listed !== null) {
      const isText = listed.every((it) => typeof it !== 'object' && this.holds(node, this.factory.values([it])))
      return isText && listed.length > 0 ? `(?:${listed.map((it) => escaped(String(it))).join('|')})` : null
    }
    const [parts, ...others] = this.branches(node)
    if (parts === undefined || others.length > 0) return null
    const isInteger = parts.every(
      (it) => (it.op === 'types' && it.mask === typeBit.number) || (it.op === 'multiple' && it.step === 1),
    )
    return isInteger && parts.length === 2 ? '-?[0-9]+' : null
  }

  /** Lists that the reader takes for a single text: those of one, and all that are one text where every text is accepted. */
  private joined(reader: Node, sender: Node, from: Separator): All {
    const { factory } = this
    const sentTypes = this.typesOf(sender)
    const isJoined = (sentTypes & (typeBit.array | typeBit.object)) !== 0
    if (from === 'none' || !isJoined || (this.typesOf(reader) & scalars) === 0) return []
    if (from !== 'repeat' && this.holds(reader, factory.types(typeBit.string))) {
      return [
        factory.all([factory.types(typeBit.array), factory.items([], factory.types(scalars))]),
        // What is nested in an object has no text anyway.
        factory.types(typeBit.object),
      ]
    }
    if ((sentTypes & typeBit.array) === 0) return []
    const [sent = []] = this.branches(sender)
    const lists = from === 'repeat' ? null : this.sourceOfLists(sent, from)
    const read =
      lists !== null && this.holds(reader, factory.all([factory.types(typeBit.string), factory.pattern(lists)]))
    // Every list of the sender is a text that the reader accepts.
    if (read) return [factory.all(sent)]
    const item = factory.any([reader, ...this.scalars(reader, readArray(factory, sent).first)])
    const one = [factory.count('minItems', 1), factory.count('maxItems', 1)]
    return [factory.all([factory.types(typeBit.array), ...one, factory.items([], item)])]
  }

  /** Items and members, each read as text. */
  private inside(reader: Node, sender: Node): All {
    const { factory } = this
    const common = this.typesOf(reader) & this.typesOf(sender)
    if ((common & (typeBit.array | typeBit.object)) === 0) return []
    const [sent = []] = this.branches(sender)
    const [items, object] = [onlyOne(sent, 'items'), onlyOne(sent, 'object')]
    const read = (node: Node, by: Node | undefined): Node =>
      factory.any([node, ...this.scalars(node, by ?? factory.types(scalars))])
    return this.branches(reader).flatMap((parts): All => {
      const changed = parts.map((part): Node => {
        if (part.op === 'items' && onlyOne(parts, 'items'))
          return factory.items(
            part.prefix.map((it, i) => read(it, items?.prefix[i] ?? items?.rest)),
            read(part.rest, items?.rest),
          )
        if (part.op === 'object' && onlyOne(parts, 'object'))
          return factory.object(
            new Map([...part.named].map(([name, it]) => [name, read(it, object?.named.get(name))])),
            part.patterns,
            part.extra,
            part.implicit,
          )
        return part
      })
      return changed.every((it, i) => it === parts[i]) ? [] : [factory.all(changed)]
    })
  }

  /** A set taken apart into alternatives, each a list of conditions. */
  private branches(node: Node, depth = 0): readonly All[] {
    if (depth > 8) return []
    if (node.op === 'ref') return this.branches(this.resolve(node.key), depth + 1)
    if (node.op === 'any') return node.parts.flatMap((it) => this.branches(it, depth + 1))
    if (node.op !== 'all') return [[node]]
    const parts = node.parts.flatMap((it) => {
      const at = it.op === 'ref' ? this.resolve(it.key) : it
      return at.op === 'all' ? at.parts : [at]
    })
    return [parts]
  }

  /** At least all values of a set, where they are few; null where no one can list them. */
  private finite(node: Node, depth = 0): readonly Json[] | null {
    if (depth > 8) return null
    switch (node.op) {
      case 'values':
        return node.values.length > manyValues ? null : node.values
      case 'types':
        return node.mask === typeBit.boolean ? [true, false] : null
      case 'ref':
        return this.finite(this.resolve(node.key), depth + 1)
      case 'any':
      case 'one': {
        const lists = node.parts.map((it) => this.finite(it, depth + 1))
        return lists.some((it) => it === null) ? null : lists.flatMap((it) => it ?? [])
      }
      case 'all': {
        for (const part of node.parts) {
          const list = this.finite(part, depth + 1)
          if (list) return list
        }
        return rangeOf(node.parts)
      }
      default:
        return null
    }
  }
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replace('\t', '\\t')

type NodeOf<Op, N = Node> = N extends { readonly op: infer O } ? (Op extends O ? N : never) : never

const onlyOne = <Op extends Node['op']>(parts: All, op: Op): NodeOf<Op> | undefined => {
  const found = parts.filter((it) => it.op === op)
  return found.length === 1 ? (found[0] as NodeOf<Op>) : undefined
}

const countIn = (parts: All, op: 'minItems' | 'maxItems'): number | undefined => onlyOne(parts, op)?.count

const readArray = (
  factory: NodeFactory,
  parts: All,
): { readonly min: number; readonly max: number; readonly first: Node } => {
  const items = onlyOne(parts, 'items')
  const types = onlyOne(parts, 'types')
  const isArray = types === undefined || (types.mask & typeBit.array) !== 0
  const item = items?.rest ?? (parts.some((it) => it.op === 'items') ? factory.never : factory.always)
  return {
    min: countIn(parts, 'minItems') ?? 0,
    max: isArray ? (countIn(parts, 'maxItems') ?? Infinity) : 0,
    first: items?.prefix[0] ?? item,
  }
}

/** The whole numbers between two bounds. */
const rangeOf = (parts: All): readonly Json[] | null => {
  const types = onlyOne(parts, 'types')
  const [low, high, step] = [onlyOne(parts, 'min'), onlyOne(parts, 'max'), onlyOne(parts, 'multiple')]
  if (types?.mask !== typeBit.number || !low || !high || step?.step !== 1) return null
  // Lists are short only between bounds that doubles hold.
  if (typeof low.bound !== 'number' || typeof high.bound !== 'number') return null
  const [first, last] = [Math.ceil(low.bound), Math.floor(high.bound)]
  if (!(last - first < manyValues)) return null
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
}
