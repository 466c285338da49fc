import type { Json, JsonObject } from '../../kernel/json.ts'
import { Comparer } from '../../schema/containment.ts'
import { Effort, Exhausted } from '../../schema/effort.ts'
import { allTypes, typeBit } from '../../schema/node.ts'
import type { Node, NodeFactory } from '../../schema/node.ts'
import type { Direction, Reading } from '../../schema/schema-source.ts'
import { selectedBy } from '../../schema/selection.ts'
import type { Selected } from '../../schema/selection.ts'
import type { Witness } from '../change.ts'
import type { Sameness } from '../sameness.ts'
import { Nodes } from './nodes.ts'
import type { Selector } from '../selector.ts'
import type { PlacedValue, Side } from '../side.ts'
import { TextReader } from '../wire/text.ts'
import { reasons } from './judgement.ts'
import type { SchemasOptions } from './judgement.ts'
import { separating, separatingParts } from './use.ts'
import type { Use } from './use.ts'

/** The steps that every comparison has, and one more for so many characters of the documents. */
const [least, characters] = [70_000, 20]

/** What the schemas of both documents mean as messages: what one side sends, and what the other one reads. */
export class Messages {
  readonly factory: NodeFactory
  readonly effort: Effort
  protected readonly comparer: Comparer
  /** Takes sets literally: an object that lists no property may carry any. */
  protected readonly literal: Comparer
  private readonly reader: TextReader
  private readonly nodes: Nodes
  protected readonly base: Side
  protected readonly head: Side
  readonly options: SchemasOptions

  constructor(base: Side, head: Side, sameness: Sameness, options: SchemasOptions) {
    this.base = base
    this.head = head
    this.options = options
    const usual = least + (base.document.text.length + head.document.text.length) / characters
    this.effort = new Effort(Math.min(usual, options.maxSteps ?? usual))
    this.nodes = new Nodes(base, head, sameness, options.formats)
    this.factory = this.nodes.factory
    const { resolve } = this.nodes
    this.comparer = new Comparer(this.factory, resolve, options.undeclared, this.effort)
    this.literal = new Comparer(this.factory, resolve, 'yes', this.effort)
    this.reader = new TextReader(this.factory, this.comparer, resolve)
  }

  /** The values that all of the places allow together. */
  node(side: Side, places: readonly PlacedValue[], direction: Direction, reading: Reading = 'exact'): Node {
    return this.nodes.of(side, places, direction, reading)
  }

  /** What the discriminators of a document select. */
  selector(side: Side): Selector {
    return this.nodes.selectors[side.name]
  }

  /** What is sent, read in some way. */
  protected within(side: Side, places: readonly PlacedValue[], use: Use, reading: Reading, and: Node): Node {
    return this.factory.all([this.written(this.node(side, places, use.direction, reading), use), and])
  }

  /** What is sent at a place, in all that it is a branch of. */
  protected sentIn(places: readonly PlacedValue[], use: Use): Node {
    const [side, key] = use.fromClient ? [this.base, 'base' as const] : [this.head, 'head' as const]
    const own = this.written(this.node(side, places, use.direction), use)
    return use.whole ? this.factory.all([own, this.node(side, use.whole[key], use.direction)]) : own
  }

  /** What is sent at a place and not understood there. */
  escaping(base: readonly PlacedValue[], head: readonly PlacedValue[], use: Use): Node {
    const inner = this.sentIn(use.fromClient ? base : head, use)
    const [side, places] = use.fromClient ? [this.head, head] : [this.base, base]
    const read = this.lexical(this.node(side, places, use.direction), use, inner)
    return this.factory.all([inner, this.factory.not(this.acceptedBeside(read, use, inner))])
  }

  /** Whether a node holds for a value. */
  holds(node: Node, value: Json): boolean {
    return this.comparer.solver.holds(node.id, value) === true
  }

  /** What a reader accepts by `node`, or as another branch of the choice that it is in. */
  protected acceptedBeside(node: Node, use: Use, inner: Node): Node {
    if (!use.whole) return node
    const [side, places] = use.fromClient ? [this.head, use.whole.head] : [this.base, use.whole.base]
    return this.factory.any([node, this.lexical(this.node(side, places, use.direction), use, inner)])
  }

  /** A value as a witness; null where it is not one, or no one can tell. */
  witnessBy(base: readonly PlacedValue[], head: readonly PlacedValue[], use: Use, value: Json): Witness | null {
    const { whole, ...rest } = use
    if (whole && !this.witnessBy(whole.base, whole.head, rest, value)) return null
    const [sender, sent] = use.fromClient ? [this.base, base] : [this.head, head]
    const [reader, read] = use.fromClient ? [this.head, head] : [this.base, base]
    try {
      if (this.isValid(sender, sent, value, use) !== true) return null
      if (this.isValid(reader, read, value, use) !== false) return null
      if (this.isReadAsText(this.node(reader, read, use.direction), value, use) !== false) return null
    } catch (thrown) {
      if (thrown instanceof Exhausted) return null
      throw thrown
    }
    return { value, at: '', acceptedBy: sender.name, reason: reasons[sender.name] }
  }

  protected isValid(
    side: Side,
    places: readonly PlacedValue[],
    value: Json,
    { direction, fromClient }: Use,
  ): boolean | null {
    this.effort.begin()
    const isSender = fromClient === (side === this.base)
    const shared = isSender ? null : this.nodes.sharedValues
    const select = (schema: JsonObject, of: JsonObject): Selected => this.selector(side).select(schema, of, shared)
    return this.options.validate(side, places, value, direction, select, (steps) => this.effort.spend(steps))
  }

  /**
   * Before OpenAPI 3.1 null has to be announced by `nullable`: a schema without any type does not mean to send it. What a
   * discriminator leads to has a value that selects it.
   */
  protected written(all: Node, { fromClient, selected }: Use): Node {
    const side = fromClient ? this.base : this.head
    const sent = selected ? this.factory.all([all, selectedBy(this.factory, selected.property, selected.values)]) : all
    const announced = side.dialect !== 'openapi-3.0' && side.dialect !== 'swagger-2.0'
    if (announced || this.comparer.solver.survey.typesOf(sent.id) !== allTypes) return sent
    return this.factory.all([sent, this.factory.types(allTypes & ~typeBit.null)])
  }

  /** What the reader accepts, where the value travels as text. */
  protected lexical(outer: Node, use: Use, inner: Node): Node {
    if (use.parts) return this.reader.widenForm(outer, inner, separatingParts(use, use.parts))
    if (!use.textual) return outer
    const { from, to } = separating(use, use.text)
    return this.reader.widen(outer, inner, from, to)
  }

  /** Whether a value travels as text, and the reader accepts the text as whatever it can be; null where no one can tell. */
  protected isReadAsText(read: Node, value: Json, use: Use): boolean | null {
    if (use.parts) return this.reader.readsForm(read, value, separatingParts(use, use.parts))
    return use.textual === true && this.reader.reads(read, value, separating(use, use.text))
  }

  /** Whether no value can be one of both places, as far as that is cheap to see. */
  areApart(side: Side, one: PlacedValue, other: PlacedValue, direction: Direction): boolean {
    const [a, b] = [this.node(side, [one], direction), this.node(side, [other], direction)]
    return this.comparer.solver.survey.disjoint(a, b)
  }

  /** A schema made up for a comparison, as a place of its own. */
  made(value: Json): PlacedValue {
    return { value, path: [] }
  }
}
