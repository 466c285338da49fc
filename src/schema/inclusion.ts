import { compareNumbers } from '../document/exact.ts'
import type { Goal } from './answer.ts'
import { partsAt, widerFormats } from './accepts.ts'
import { CyclicMemo } from './cyclic-memo.ts'
import type { Effort } from './effort.ts'
import type { Node, NodeFactory } from './node.ts'
import { isMultiple } from './numbers.ts'
import type { Survey } from './survey.ts'

type Declaration = Extract<Node, { op: 'object' }>
type Items = Extract<Node, { op: 'items' }>

/**
 * Sees inclusion that follows from how two nodes are built: part by part, branch by branch, property by property. Each pair
 * of parts is looked at once, so schemas of any depth cost as much as they have pairs. It proves or it says nothing.
 *
 * A pair that needs itself about a part of the value is taken as proven: values are finite. One that needs itself about the
 * same value is not.
 */
export class Inclusion {
  private readonly factory: NodeFactory
  private readonly resolve: (key: string) => Node
  private readonly survey: Survey
  private readonly effort: Effort
  private readonly memo = new CyclicMemo<string, boolean>(
    true,
    (answer) => answer,
    () => false,
  )
  private readonly refuted = new Set<string>()
  /** The pairs in progress, and how far below the value each was begun. */
  private readonly begun = new Map<string, number>()
  private depth = 0

  constructor(factory: NodeFactory, resolve: (key: string) => Node, survey: Survey, effort: Effort) {
    this.factory = factory
    this.resolve = resolve
    this.survey = survey
    this.effort = effort
  }

  /** Whether every value of `inner` is certain to be one of `outer`. */
  proves(inner: Node, outer: Node): boolean {
    this.depth = 0
    try {
      return this.within(inner.id, outer.id)
    } catch (thrown) {
      this.memo.abandon()
      this.begun.clear()
      throw thrown
    }
  }

  /** Goals are ids of nodes, negative for complements: a ⊆ b says the same as not b ⊆ not a. */
  private within(a: Goal, b: Goal): boolean {
    if (a === b) return true
    this.effort.spend(0.05)
    const types = this.survey.typesOf(a)
    if (types === 0) return true
    if (b > 0) {
      const node = this.factory.byId(b)
      if (node.op === 'true') return true
      if (node.op === 'types') return (types & ~node.mask) === 0
    }
    if ((types & this.survey.typesOf(b)) !== types) return false
    const key = `${a} ${b}`
    if (this.refuted.has(key)) return false
    if (this.begun.get(key) === this.depth) return false
    this.effort.spend(0.25)
    const answer = this.memo.answer(key, () => {
      this.begun.set(key, this.depth)
      const found = this.look(a, b)
      this.begun.delete(key)
      return found
    })
    if (!answer) this.refuted.add(key)
    return answer
  }

  private look(a: Goal, b: Goal): boolean {
    const [inner, outer] = [this.factory.byId(Math.abs(a)), this.factory.byId(Math.abs(b))]
    const [left, right] = [a > 0 ? 1 : -1, b > 0 ? 1 : -1]
    if (outer.op === 'ref') return this.within(a, right * this.resolve(outer.key).id)
    if (inner.op === 'ref') return this.within(left * this.resolve(inner.key).id, b)
    if (outer.op === 'not') return this.within(a, -right * outer.part.id)
    if (inner.op === 'not') return this.within(-left * inner.part.id, b)
    if (outer.op === (right > 0 ? 'all' : 'any')) return outer.parts.every((it) => this.within(a, right * it.id))
    if (inner.op === (left > 0 ? 'any' : 'all')) return inner.parts.every((it) => this.within(left * it.id, b))
    if (inner.op === 'one' || outer.op === 'one') {
      const ones = inner.op === 'one' && outer.op === 'one' && left === right
      if (ones && this.sameBranches(inner.parts, outer.parts)) return true
      if (left > 0 && inner.op === 'one' && inner.parts.every((it) => this.within(it.id, b))) return true
      if (right < 0 && outer.op === 'one' && outer.parts.every((it) => this.within(a, -it.id))) return true
      if (right > 0 && outer.op === 'one' && this.isOneOf(a, outer.parts)) return true
    }
    if (outer.op === (right > 0 ? 'any' : 'all') && this.isInSome(a, outer.parts, right)) return true
    if (inner.op === (left > 0 ? 'all' : 'any')) return inner.parts.some((it) => this.within(left * it.id, b))
    if (left > 0 && right > 0) return this.atom(inner, outer)
    if (left < 0 && right < 0) return this.atom(outer, inner)
    return left > 0 && this.survey.disjoint(inner, outer)
  }

  private isInSome(a: Goal, parts: readonly Node[], sign: number): boolean {
    if (parts.some((it) => sign * it.id === a)) return true
    const index = sign > 0 && a > 0 && parts.length > 8 ? this.survey.labelIndex(parts) : null
    if (!index) return parts.some((it) => this.within(a, sign * it.id))
    for (const i of index.near(this.factory.byId(a))) if (this.within(a, parts[i]!.id)) return true
    return false
  }

  /** It is in one of them and outside of all others. */
  private isOneOf(a: Goal, parts: readonly Node[]): boolean {
    // A branch that is there twice is one of the others too.
    const home = parts.findIndex((it) => this.within(a, it.id))
    return home >= 0 && parts.every((it, i) => i === home || this.within(a, -it.id))
  }

  /** The branches are the same sets, each written in whatever way: then what is in exactly one does so in both. */
  private sameBranches(a: readonly Node[], b: readonly Node[]): boolean {
    if (a.length !== b.length) return false
    const free = new Set(b.keys())
    return a.every((part) => {
      for (const i of free) {
        const other = b[i]!
        if (!this.within(part.id, other.id) || !this.within(other.id, part.id)) continue
        free.delete(i)
        return true
      }
      return false
    })
  }

  private atom(a: Node, b: Node): boolean {
    if (a.op === 'values') return b.op === 'values' && [...a.keys].every((key) => b.keys.has(key))
    switch (b.op) {
      case 'min':
        return a.op === 'min' && isTighter(compareNumbers(a.bound, b.bound), a.exclusive, b.exclusive)
      case 'max':
        return a.op === 'max' && isTighter(compareNumbers(b.bound, a.bound), a.exclusive, b.exclusive)
      case 'multiple':
        return a.op === 'multiple' && isMultiple(a.step, b.step) === true
      case 'minLength':
      case 'minItems':
      case 'minProperties':
        return a.op === b.op && a.count >= b.count
      case 'maxLength':
      case 'maxItems':
      case 'maxProperties':
        return a.op === b.op && a.count <= b.count
      case 'format':
        return a.op === 'format' && widerFormats.get(a.name)?.includes(b.name) === true
      case 'items':
        return a.op === 'items' && this.below(() => this.items(a, b))
      case 'contains': {
        if (a.op !== 'contains' || a.min < b.min) return false
        if (b.max === Infinity) return this.below(() => this.within(a.part.id, b.part.id))
        if (a.max > b.max) return false
        return this.below(() => this.within(a.part.id, b.part.id) && this.within(b.part.id, a.part.id))
      }
      case 'names':
        return a.op === 'names' && this.below(() => this.within(a.part.id, b.part.id))
      case 'object':
        return a.op === 'object' && this.below(() => this.object(a, b))
      default:
        return false
    }
  }

  /** What is asked about parts of the value. */
  private below(work: () => boolean): boolean {
    this.depth++
    const answer = work()
    this.depth--
    return answer
  }

  private items(a: Items, b: Items): boolean {
    const length = Math.max(a.prefix.length, b.prefix.length)
    for (let i = 0; i < length; i++) {
      if (!this.within((a.prefix[i] ?? a.rest).id, (b.prefix[i] ?? b.rest).id)) return false
    }
    return this.within(a.rest.id, b.rest.id)
  }

  private object(a: Declaration, b: Declaration): boolean {
    for (const [name, part] of b.named) if (!this.property(a, name, part)) return false
    for (const [source, part] of b.patterns) {
      const own = a.patterns.find(([other]) => other === source)
      const whatever = a.named.size === 0 && a.patterns.length === 0 ? a.extra : own?.[1]
      if (!whatever || !this.within(whatever.id, part.id)) return false
    }
    if (b.extra.op === 'true') return true
    for (const name of a.named.keys()) {
      const parts = partsAt(b, name)
      if (!parts || (parts.length === 1 && parts[0] === b.extra && !this.property(a, name, b.extra))) return false
    }
    const known = new Set(b.patterns.map(([source]) => source))
    if (!a.patterns.every(([source, part]) => known.has(source) || this.within(part.id, b.extra.id))) return false
    return this.within(a.extra.id, b.extra.id)
  }

  /** Whether what an object says of one property is within a part. */
  private property(a: Declaration, name: string, part: Node): boolean {
    if (part.op === 'true') return true
    const parts = partsAt(a, name)
    return parts !== null && this.within(this.factory.all(parts).id, part.id)
  }
}

/** Whether a bound leaves no more than another; `order` is above zero where it is further in. */
const isTighter = (order: number, exclusive: boolean, otherExclusive: boolean): boolean =>
  order > 0 || (order === 0 && (exclusive || !otherExclusive))
