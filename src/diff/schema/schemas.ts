import type { Json } from '../../kernel/json.ts'
import { exhausted, tooLarge, withinLimits } from '../../schema/effort.ts'
import { allTypes, typeBit } from '../../schema/node.ts'
import type { Node } from '../../schema/node.ts'
import type { Direction, Reading } from '../../schema/schema-source.ts'
import type { Witness } from '../change.ts'
import type { PlacedValue } from '../side.ts'
import { viewOf } from '../view.ts'
import { acceptsNothing, reasons, safe, unconfirmed, vacuous } from './judgement.ts'
import type { Judgement } from './judgement.ts'
import { Messages } from './messages.ts'
import type { Use } from './use.ts'

/** The schemas of both documents in one algebra, and the questions that are asked of them. */
export class Schemas extends Messages {
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
    for (let tries = 0; answer.is === 'escapes'; tries++) {
      const isRead = this.isReadAsText(read, answer.value, use)
      if (isRead === false) break
      // Only what is read for certain is left out: without the others all would be read.
      if (isRead === null || tries === 8)
        return { verdict: 'unknown', witness: null, reason: 'texts are read as values of other types' }
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
}
