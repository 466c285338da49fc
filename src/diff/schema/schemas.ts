/** Longer than 400 lines: the comparison of two schemas is one class whose steps share its state. */
import type { Json, JsonObject } from '../../kernel/json.ts'
import { Comparer } from '../../schema/containment.ts'
import { Effort, exhausted, Exhausted, tooLarge, withinLimits } from '../../schema/effort.ts'
import { allTypes, typeBit } from '../../schema/node.ts'
import type { Node, NodeFactory } from '../../schema/node.ts'
import type { Direction, Reading } from '../../schema/schema-source.ts'
import { selectedBy } from '../../schema/selection.ts'
import type { Selected } from '../../schema/selection.ts'
import type { Classification, Witness } from '../change.ts'
import type { Sameness } from '../sameness.ts'
import { Nodes } from './nodes.ts'
import type { Selector } from '../selector.ts'
import type { PlacedValue, Side } from '../side.ts'
import { viewOf } from '../view.ts'
import type { Separator } from '../wire/forms.ts'
import type { Separating } from '../wire/readings.ts'
import { TextReader } from '../wire/text.ts'

/** How each side separates the items of an array in a text. */
export interface Separators {
  readonly base: Separator
  readonly head: Separator
}

/** Where a schema is used: on the way to the service or back, and who writes the value. */
export interface Use {
  readonly direction: Direction
  /** The client writes the value: a request, or the answer to a webhook. */
  readonly fromClient: boolean
  /** The value travels as text (a parameter, a header). */
  readonly textual?: boolean
  /** The text is a body or a part of one, and no parameter or header. */
  readonly inBody?: boolean
  /** How both sides separate the items of an array in a text. */
  readonly text?: Separators
  /** The properties that travel as texts of their own: those of forms, and the parts of multipart bodies. */
  readonly parts?: ReadonlyMap<string, Separators>
  /** The value is always sent, so that a default says nothing. */
  readonly always?: boolean
  /** The value can be written as XML. */
  readonly xml?: boolean
  /** A discriminator leads here: what is sent has one of these values in that property. */
  readonly selected?: { readonly property: string; readonly values: readonly string[] }
  /** What a branch is a branch of: a value that breaks there has to break here as well. */
  readonly whole?: { readonly base: readonly PlacedValue[]; readonly head: readonly PlacedValue[] }
}

/** The use of what is inside of a value: items of a list in a text are not lists of texts, members can be missing,
 * and nothing leads there but the whole. */
export const innerUse = (use: Use): Use => {
  if (isInner(use)) return use
  const { direction, fromClient, textual = false, inBody = false, xml = false } = use
  return {
    direction,
    fromClient,
    ...(textual ? { textual } : {}),
    ...(inBody ? { inBody } : {}),
    ...(xml ? { xml } : {}),
  }
}

const isInner = ({ text, always, selected, whole, parts }: Use): boolean =>
  text === undefined && always === undefined && selected === undefined && whole === undefined && parts === undefined

/** The use of a branch: the same value, so that its parts are written as those of the whole. */
export const branchUse = (use: Use): Use => (use.parts ? { ...innerUse(use), parts: use.parts } : innerUse(use))

/** The use of a property. */
export const propertyUse = (use: Use, name: string): Use => {
  const text = use.parts?.get(name)
  return text ? { ...innerUse(use), textual: true, inBody: true, text } : innerUse(use)
}

/** Whether a value is that of a parameter or header. */
export const isParameter = ({ textual = false, inBody = false }: Use): boolean => textual && !inBody

/** What containment says about a pair of schemas in a use. */
export interface Judgement {
  readonly verdict: Classification
  readonly witness: Witness | null
  readonly reason: string | null
  /** What the witness is not in. */
  readonly refusing?: Node
  /** What the witness has to be in, beside what is sent anyway. */
  readonly sent?: Node
  /** It is safe because no value exists at all. */
  readonly vacuous?: boolean
}

/**
 * Checks a witness by other means: true where `value` is valid on that side. Null where it cannot tell. It calls `spend`
 * for its steps, which ends it by throwing.
 */
export type ConfirmWitness = (
  side: Side,
  places: readonly PlacedValue[],
  value: Json,
  direction: Direction,
  select: (schema: JsonObject, value: JsonObject) => Selected,
  spend: (steps: number) => void,
) => boolean | null

export interface SchemasOptions {
  readonly undeclared: 'yes' | 'no'
  /** Sets are sets: what contains nothing is contained, and nothing is concluded from the parts. */
  readonly strict: boolean
  readonly formats: 'asserted' | 'remarks'
  /** Whether an object of a `oneOf` in an answer is one of its branches, even if others accept it because they are open. */
  readonly chosen: boolean
  readonly validate: ConfirmWitness
}

/** The steps that every comparison has, and one more for so many characters of the documents. */
const [least, characters] = [70_000, 20]

const reasons = {
  base: 'the base document accepts this value and the head refuses it',
  head: 'the head document may send this value and the base rules it out',
} as const

const unconfirmed = 'the counterexample could not be confirmed independently'
export const acceptsNothing = 'as written the schema accepts nothing'
const safe: Judgement = { verdict: 'safe', witness: null, reason: null }
const vacuous: Judgement = { ...safe, vacuous: true }

/** How the writer and the reader of a use separate items. */
const separating = ({ fromClient }: Use, { base, head }: Separators = { base: 'none', head: 'none' }): Separating =>
  fromClient ? { from: base, to: head } : { from: head, to: base }

const separatingParts = (use: Use, parts: ReadonlyMap<string, Separators>): ReadonlyMap<string, Separating> =>
  new Map([...parts].map(([name, it]) => [name, separating(use, it)]))

/** The schemas of both documents in one algebra, and the questions that are asked of them. */
export class Schemas {
  readonly factory: NodeFactory
  readonly effort: Effort
  private readonly comparer: Comparer
  /** Takes sets literally: an object that lists no property may carry any. */
  private readonly literal: Comparer
  private readonly reader: TextReader
  private readonly nodes: Nodes
  private readonly base: Side
  private readonly head: Side
  readonly options: SchemasOptions

  constructor(base: Side, head: Side, sameness: Sameness, options: SchemasOptions) {
    this.base = base
    this.head = head
    this.options = options
    this.effort = new Effort(least + (base.document.text.length + head.document.text.length) / characters)
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

  /** Whether a value written by one party for the other still is understood; `types` looks at some types alone. */
  judge(base: readonly PlacedValue[], head: readonly PlacedValue[], use: Use, types = allTypes): Judgement {
    return (
      withinLimits(() => this.decide(base, head, use, types)) ?? {
        verdict: 'unknown',
        witness: null,
        reason: this.effort.isExhausted ? exhausted : tooLarge,
      }
    )
  }

  /** @throws Exhausted where a counterexample could not be checked within the limit of steps */
  private decide(base: readonly PlacedValue[], head: readonly PlacedValue[], use: Use, types: number): Judgement {
    const a = this.node(this.base, base, use.direction)
    const b = this.node(this.head, head, use.direction)
    const [sent, read] = use.fromClient ? [a, b] : [b, a]
    let outer = this.lexical(read, use, sent)
    const all = this.written(sent, use)
    const inner = this.factory.all([all, this.factory.types(types)])
    let answer = this.comparer.contains(outer, inner)
    for (let tries = 0; answer.is === 'escapes' && this.isReadAsText(read, answer.value, use); tries++) {
      if (tries === 8) return { verdict: 'unknown', witness: null, reason: 'texts are read as values of other types' }
      outer = this.factory.any([outer, this.factory.values([answer.value])])
      answer = this.comparer.contains(outer, inner)
    }
    if (answer.is === 'contained') {
      return !this.options.strict && types === allTypes && this.comparer.isEmpty(inner)
        ? this.judgeLoosely(base, head, use)
        : safe
    }
    if (answer.is === 'unknown') return { verdict: 'unknown', witness: null, reason: answer.why }
    const acceptedBy = use.fromClient ? 'base' : 'head'
    const onBase = this.isValid(this.base, base, answer.value, use)
    const onHead = this.isValid(this.head, head, answer.value, use)
    const [accepted, refused] = use.fromClient ? [onBase, onHead] : [onHead, onBase]
    const confirmed = accepted !== false && refused !== true
    if (!this.options.strict && this.excused(base, head, use, inner, answer.value, confirmed)) return safe
    if (!confirmed) {
      const other = this.unambiguous(base, head, use, outer, this.factory.types(types))
      if (other === 'never') return safe
      if (other) return { verdict: 'breaking', witness: other, reason: null, refusing: outer }
      return { verdict: 'unknown', witness: null, reason: unconfirmed }
    }
    return {
      verdict: 'breaking',
      witness: { value: answer.value, at: '', acceptedBy, reason: reasons[acceptedBy] },
      reason: null,
      refusing: outer,
    }
  }

  /**
   * A confirmed counterexample whose discriminators select a schema, and that fits one branch of each `oneOf` if possible. "never"
   * where values that select nothing alone escape.
   */
  private unambiguous(
    base: readonly PlacedValue[],
    head: readonly PlacedValue[],
    use: Use,
    outer: Node,
    within: Node,
  ): Witness | 'never' | null {
    const [sender, sent] = use.fromClient ? [this.base, base] : [this.head, head]
    if (!sender.hasDiscriminators) return null
    const known = this.within(sender, sent, use, 'known', within)
    const answer = this.comparer.contains(outer, known)
    if (answer.is === 'contained') return this.comparer.isEmpty(known) ? null : 'never'
    const shown = answer.is === 'escapes' ? this.witnessBy(base, head, use, answer.value) : null
    if (shown) return shown
    const literal = this.comparer.contains(outer, this.within(sender, sent, use, 'literal', within))
    return literal.is === 'escapes' ? this.witnessBy(base, head, use, literal.value) : null
  }

  /** What is sent, read in some way. */
  private within(side: Side, places: readonly PlacedValue[], use: Use, reading: Reading, and: Node): Node {
    return this.factory.all([this.written(this.node(side, places, use.direction, reading), use), and])
  }

  /** Whether everything that is sent is understood as both are written: what `evaluate` excuses besides is not asked here. */
  isUnderstood(base: readonly PlacedValue[], head: readonly PlacedValue[], use: Use): boolean {
    return withinLimits(() => this.understands(base, head, use)) ?? false
  }

  private understands(base: readonly PlacedValue[], head: readonly PlacedValue[], use: Use): boolean {
    const a = this.node(this.base, base, use.direction)
    const b = this.node(this.head, head, use.direction)
    const outer = use.fromClient ? this.lexical(b, use, a) : this.lexical(a, use, b)
    const inner = this.sentIn(use.fromClient ? base : head, use)
    const accepted = this.acceptedBeside(outer, use, inner)
    return this.comparer.contains(accepted, inner).is === 'contained' && !this.comparer.isEmpty(inner)
  }

  /** Decides about two places as a whole; a branch breaks only with a value that breaks the choice as well. */
  judgeWhole(base: readonly PlacedValue[], head: readonly PlacedValue[], use: Use): Judgement {
    const judged = this.judge(base, head, use)
    if (use.whole === undefined || judged.verdict !== 'breaking' || !judged.refusing) return judged
    const placed = this.placed(base, head, use, judged.refusing)
    if (placed === 'never') return safe
    if (placed === null) return { verdict: 'unknown', witness: null, reason: unconfirmed }
    return { ...judged, witness: placed === 'unshown' ? null : placed }
  }

  /** What is sent at a place, in all that it is a branch of. */
  private sentIn(places: readonly PlacedValue[], use: Use): Node {
    const [side, key] = use.fromClient ? [this.base, 'base' as const] : [this.head, 'head' as const]
    const own = this.written(this.node(side, places, use.direction), use)
    return use.whole ? this.factory.all([own, this.node(side, use.whole[key], use.direction)]) : own
  }

  /**
   * A counterexample for both wholes among what the sender sends, refused because of `refusing`: one of `sent` if that is given.
   * "never" where the sender sends nothing of the kind, "unshown" where it does by what is meant and not by the
   * letter; null where that could not be decided or confirmed.
   */
  placed(
    base: readonly PlacedValue[],
    head: readonly PlacedValue[],
    use: Use,
    refusing: Node,
    sent: Node = this.factory.always,
  ): Witness | 'never' | 'unshown' | null {
    return withinLimits(() => this.place(base, head, use, refusing, sent))
  }

  private place(
    base: readonly PlacedValue[],
    head: readonly PlacedValue[],
    use: Use,
    refusing: Node,
    sent: Node,
  ): Witness | 'never' | 'unshown' | null {
    const [sender, places] = use.fromClient ? [this.base, base] : [this.head, head]
    const inner = this.sentIn(places, use)
    const refused = this.acceptedBeside(refusing, use, inner)
    const answer = this.comparer.contains(refused, this.factory.all([inner, sent]))
    const witness = answer.is === 'escapes' ? this.witnessBy(base, head, use, answer.value) : null
    if (witness) return witness
    if (answer.is !== 'contained') return this.unambiguous(base, head, use, refused, sent)
    if (this.comparer.isEmpty(inner)) return null
    if (!sender.hasNullable) return 'never'
    // `nullable` beside an enumeration without null: the letter refuses what is meant.
    const meant = this.within(sender, places, use, 'tolerant', sent)
    return this.comparer.contains(refused, meant).is === 'contained' ? 'never' : 'unshown'
  }

  /** What is sent at a place and not understood there. */
  escaping(base: readonly PlacedValue[], head: readonly PlacedValue[], use: Use): Node {
    const inner = this.sentIn(use.fromClient ? base : head, use)
    const [side, places] = use.fromClient ? [this.head, head] : [this.base, base]
    const read = this.lexical(this.node(side, places, use.direction), use, inner)
    return this.factory.all([inner, this.factory.not(this.acceptedBeside(read, use, inner))])
  }

  /**
   * A counterexample for both wholes within a node; "never" where nothing in it is sent, "empty" where nothing at all is, null
   * where there is none to show.
   */
  shownIn(
    base: readonly PlacedValue[],
    head: readonly PlacedValue[],
    use: Use,
    within: Node,
  ): Witness | 'never' | 'empty' | null {
    const [side, places] = use.fromClient ? [this.base, base] : [this.head, head]
    // What discriminators select is not in what is written beside them.
    const readings: readonly Reading[] = side.hasDiscriminators ? ['known', 'exact'] : ['exact']
    let [isNever, isEmpty] = [true, true]
    for (const reading of readings) {
      const inner = this.within(side, places, use, reading, this.factory.always)
      const answer = withinLimits(() => this.comparer.contains(this.factory.not(within), inner))
      const shown = answer?.is === 'escapes' ? withinLimits(() => this.witnessBy(base, head, use, answer.value)) : null
      if (shown !== null) return shown
      if (answer?.is !== 'contained') return null
      if (this.comparer.isEmpty(inner)) isNever = false
      else isEmpty = false
    }
    if (isEmpty) return 'empty'
    return isNever ? 'never' : null
  }

  /** Whether a node holds for a value. */
  holds(node: Node, value: Json): boolean {
    return this.comparer.solver.holds(node.id, value) === true
  }

  /** What a reader accepts by `node`, or as another branch of the choice that it is in. */
  private acceptedBeside(node: Node, use: Use, inner: Node): Node {
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
      if (this.isReadAsText(this.node(reader, read, use.direction), value, use)) return null
    } catch (thrown) {
      if (thrown instanceof Exhausted) return null
      throw thrown
    }
    return { value, at: '', acceptedBy: sender.name, reason: reasons[sender.name] }
  }

  private isValid(
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
   * Whether a counterexample is not one to a person: it is in a property that is not read in this direction, or it is an object
   * that fits two branches of a `oneOf` in an answer, although the sender still decides for one, or it was refused before.
   */
  private excused(
    base: readonly PlacedValue[],
    head: readonly PlacedValue[],
    use: Use,
    inner: Node,
    value: Json,
    confirmed: boolean,
  ): boolean {
    const [side, places] = use.fromClient ? [this.head, head] : [this.base, base]
    const outer = this.node(side, places, use.direction, 'tolerant')
    const nullish = side.hasNullable && JSON.stringify(value).includes('null')
    if (
      (nullish || side.hasUnsent) &&
      this.comparer.contains(this.lexical(outer, use, inner), inner).is === 'contained'
    )
      return true
    if (confirmed && (use.fromClient || !this.options.chosen)) return false
    const reading = confirmed ? 'chosen' : 'loose'
    const a = this.node(this.base, base, use.direction, reading)
    const b = this.node(this.head, head, use.direction, reading)
    const [sent, read] = use.fromClient ? [a, this.lexical(b, use, a)] : [b, this.lexical(a, use, b)]
    if (this.comparer.contains(read, sent).is === 'contained') return true
    return confirmed && this.isOfOneBranch(base, head, use)
  }

  /**
   * Whether what is sent is one branch of the `oneOf` that was there before, written without it: it lists no property that the
   * branch does not list, so its objects are of that branch, whatever others accept.
   */
  private isOfOneBranch(base: readonly PlacedValue[], head: readonly PlacedValue[], use: Use): boolean {
    const [before, after] = [viewOf(this.base, base), viewOf(this.head, head)]
    const [union] = before.unions
    if (union?.word !== 'oneOf' || before.unions.length > 1 || after.unions.length > 0) return false
    const sent = this.node(this.head, head, use.direction)
    const others = this.factory.all([sent, this.factory.types(allTypes & ~typeBit.object)])
    if (this.comparer.contains(this.node(this.base, base, use.direction), others).is !== 'contained') return false
    if (this.comparer.contains(this.node(this.base, base, use.direction, 'loose'), sent).is !== 'contained')
      return false
    return union.branches.some((branch) => {
      const listed = viewOf(this.base, [branch]).properties
      if (![...after.properties.keys()].every((name) => listed.has(name))) return false
      return this.comparer.contains(this.node(this.base, [branch], use.direction), sent).is === 'contained'
    })
  }

  /**
   * A schema that accepts nothing as written (a `oneOf` whose branches all overlap, a pattern against a length) contains
   * nothing that could break, and yet services behind it answer. So `oneOf` is read as `anyOf`, and where even that is
   * empty the parts have to be evaluated one by one.
   */
  private judgeLoosely(base: readonly PlacedValue[], head: readonly PlacedValue[], use: Use): Judgement {
    const a = this.node(this.base, base, use.direction, 'loose')
    const b = this.node(this.head, head, use.direction, 'loose')
    const [inner, outer] = use.fromClient ? [a, this.lexical(b, use, a)] : [b, this.lexical(a, use, b)]
    if (inner.op === 'false') return safe
    const answer = this.comparer.contains(outer, inner)
    if (answer.is === 'contained')
      return this.comparer.isEmpty(inner) && !this.comparer.containsParts(outer, inner) ? vacuous : safe
    return {
      verdict: 'unknown',
      witness: null,
      reason: `${acceptsNothing}; with oneOf read as anyOf it breaks`,
    }
  }

  /**
   * Before OpenAPI 3.1 null has to be announced by `nullable`: a schema without any type does not mean to send it. What a
   * discriminator leads to has a value that selects it.
   */
  private written(all: Node, { fromClient, selected }: Use): Node {
    const side = fromClient ? this.base : this.head
    const sent = selected ? this.factory.all([all, selectedBy(this.factory, selected.property, selected.values)]) : all
    const announced = side.dialect !== 'openapi-3.0' && side.dialect !== 'swagger-2.0'
    if (announced || this.comparer.solver.survey.typesOf(sent.id) !== allTypes) return sent
    return this.factory.all([sent, this.factory.types(allTypes & ~typeBit.null)])
  }

  /** What the reader accepts, where the value travels as text. */
  private lexical(outer: Node, use: Use, inner: Node): Node {
    if (use.parts) return this.reader.widenForm(outer, inner, separatingParts(use, use.parts))
    if (!use.textual) return outer
    const { from, to } = separating(use, use.text)
    return this.reader.widen(outer, inner, from, to)
  }

  /** Whether a value travels as text, and the reader accepts the text as whatever it can be. */
  private isReadAsText(read: Node, value: Json, use: Use): boolean {
    if (use.parts) return this.reader.readsForm(read, value, separatingParts(use, use.parts))
    return use.textual === true && this.reader.reads(read, value, separating(use, use.text))
  }

  /** Whether no value can be one of both places, as far as that is cheap to see. */
  areApart(side: Side, one: PlacedValue, other: PlacedValue, direction: Direction): boolean {
    const [a, b] = [this.node(side, [one], direction), this.node(side, [other], direction)]
    return this.comparer.solver.survey.disjoint(a, b)
  }

  /** Whether two places mean the same set of values. */
  equal(base: readonly PlacedValue[], head: readonly PlacedValue[], direction: Direction): boolean {
    return this.node(this.base, base, direction) === this.node(this.head, head, direction)
  }

  /** Whether places of the head allow only what places of the base allow, both taken literally. */
  isWithin(head: readonly PlacedValue[], base: readonly PlacedValue[], direction: Direction): boolean {
    const inner = this.node(this.head, head, direction)
    return this.literal.contains(this.node(this.base, base, direction), inner).is === 'contained'
  }

  /** Whether two places mean the same set of values, taken literally, however it is written. */
  identical(base: readonly PlacedValue[], head: readonly PlacedValue[], direction: Direction): boolean {
    const a = this.node(this.base, base, direction)
    const b = this.node(this.head, head, direction)
    return this.literal.contains(a, b).is === 'contained' && this.literal.contains(b, a).is === 'contained'
  }

  /** A schema made up for a comparison, as a place of its own. */
  made(value: Json): PlacedValue {
    return { value, path: [] }
  }
}
