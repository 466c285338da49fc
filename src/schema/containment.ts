import type { Json } from '../kernel/json.ts'
import type { Node, NodeFactory } from './node.ts'
import type { Answer, Goal } from './answer.ts'
import { exhausted, withinLimits } from './effort.ts'
import type { Effort } from './effort.ts'
import { Inclusion } from './inclusion.ts'
import { Solver } from './solver.ts'

/** Whether every value of one node is a value of another. */
export type Containment =
  | { readonly is: 'contained' }
  /** `value` is in the first and not in the second. */
  | { readonly is: 'escapes'; readonly value: Json }
  | { readonly is: 'unknown'; readonly why: string }

const contained: Containment = { is: 'contained' }

/** From so many branches on, unions are looked at branch by branch first. */
const many = 4
/** So many neighbours of a branch are tried for a value that leaves the union. */
const few = 3

interface Union {
  readonly op: 'any' | 'one'
  readonly parts: readonly Node[]
  readonly beside: readonly Node[]
}

/** Decides inclusion between nodes of one factory; answers are remembered per pair. */
export class Comparer {
  private readonly memo = new Map<string, Containment>()
  readonly solver: Solver
  private readonly factory: NodeFactory
  private readonly inclusion: Inclusion
  private readonly effort: Effort

  constructor(factory: NodeFactory, resolve: (key: string) => Node, undeclared: 'yes' | 'no', effort: Effort) {
    this.factory = factory
    this.effort = effort
    this.solver = new Solver(factory, resolve, undeclared, effort)
    this.inclusion = new Inclusion(factory, resolve, this.solver.survey, effort)
  }

  private ask(goals: readonly Goal[]): Answer {
    return this.solver.ask(goals)
  }

  /** Whether inclusion can be seen by comparing part by part; false says nothing. */
  private seesWithin(inner: Node, outer: Node): boolean {
    if (this.effort.isExhausted) return false
    this.effort.begin()
    return withinLimits(() => this.inclusion.proves(inner, outer)) ?? false
  }

  /** Whether a node has no value at all. */
  isEmpty(node: Node): boolean {
    return this.ask([node.id]).is === 'none'
  }

  /** L(inner) ⊆ L(outer), that is: nothing is in the first and outside of the second. */
  contains(outer: Node, inner: Node): Containment {
    if (outer === inner) return { is: 'contained' }
    const key = `${inner.id} ${outer.id}`
    const known = this.memo.get(key)
    if (known) return known
    if (this.effort.isExhausted) return { is: 'unknown', why: exhausted }
    const seen = this.seesWithin(inner, outer) ? contained : withinLimits(() => this.byBranches(outer, inner))
    if (seen) {
      this.memo.set(key, seen)
      return seen
    }
    const answer = this.ask([inner.id, -outer.id])
    const result: Containment =
      answer.is === 'none'
        ? { is: 'contained' }
        : answer.is === 'found'
          ? { is: 'escapes', value: answer.value }
          : { is: 'unknown', why: answer.why }
    this.memo.set(key, result)
    return result
  }

  /**
   * Whether each part of the outer node has a part of the inner one in it that has values: so the outer node holds for the sake
   * of what is written, even if no value has all parts of the inner one.
   */
  containsParts(outer: Node, inner: Node): boolean {
    const partsOf = (node: Node): readonly Node[] => (node.op === 'all' ? node.parts : [node])
    const sent = partsOf(inner).filter((it) => !this.isEmpty(it))
    return partsOf(outer).every((part) => sent.some((it) => this.contains(part, it).is === 'contained'))
  }

  /**
   * Looks at large unions branch by branch, which spares trying all combinations: contained is what has each branch in a
   * branch of the outer union (and, where exactly one may hold, outside of all others); what leaves its nearest branch is
   * tried against the whole. Null where neither tells.
   */
  private byBranches(outer: Node, inner: Node): Containment | null {
    const wide = this.unionOf(outer)
    if (!wide || wide.parts.length < many) return null
    const narrow = this.unionOf(inner)
    const parts = narrow ? narrow.parts.map((part) => this.factory.all([...narrow.beside, part])) : [inner]
    const beside = wide.beside.every((part) => parts.every((it) => this.isWithin(it, part)))
    if (beside && narrow && this.sameParts(narrow, wide)) return { is: 'contained' }
    let sure = beside
    for (const part of parts) {
      if (this.effort.isExhausted) return null
      const near = wide.op === 'any' && wide.parts.includes(part) ? [part] : this.near(part, wide.parts)
      const home = near.findIndex((it) => this.isWithin(part, it))
      if (home < 0) {
        const value = this.leaving(part, near.length > 0 ? near : wide.parts, inner, outer)
        if (value !== undefined) return { is: 'escapes', value }
        sure = false
      } else if (wide.op === 'one' && !near.every((it, i) => i === home || this.isApart(part, it))) sure = false
    }
    return sure ? { is: 'contained' } : null
  }

  /** The branches that may share values with a part; those that are distinguished by a label are not looked at one by one. */
  private near(part: Node, parts: readonly Node[]): readonly Node[] {
    const index = this.solver.survey.labelIndex(parts)
    const candidates = index ? [...index.near(part)].map((i) => parts[i]!) : parts
    this.effort.take(candidates.length / 50)
    return candidates.filter((it) => !this.isApart(part, it))
  }

  /** Whether two unions of a kind have the same branches, each written in whatever way: then overlaps are the same too. */
  private sameParts(a: Union, b: Union): boolean {
    if (a.op !== b.op || a.parts.length !== b.parts.length) return false
    const shared = new Set(a.parts.filter((part) => b.parts.includes(part)))
    const free = b.parts.filter((part) => !shared.has(part))
    const rest = a.parts.filter((part) => !shared.has(part))
    if (rest.length > many) return false
    return rest.every((part) => {
      const at = free.findIndex((other) => this.isWithin(part, other) && this.isWithin(other, part))
      if (at >= 0) free.splice(at, 1)
      return at >= 0
    })
  }

  /** A value of a branch that leaves one of `near` and the whole union with it. */
  private leaving(part: Node, near: readonly Node[], inner: Node, outer: Node): Json | undefined {
    for (const it of near.slice(0, few)) {
      const answer = this.contains(it, part)
      if (answer.is !== 'escapes') continue
      const { value } = answer
      if (this.solver.holds(inner.id, value) === true && this.solver.holds(outer.id, value) === false) return value
    }
    return undefined
  }

  private isWithin(inner: Node, outer: Node): boolean {
    return this.contains(outer, inner).is === 'contained'
  }

  private isApart(a: Node, b: Node): boolean {
    if (this.solver.survey.disjoint(a, b)) return true
    const key = a.id < b.id ? `${a.id} & ${b.id}` : `${b.id} & ${a.id}`
    const known = this.memo.get(key)
    if (known) return known.is === 'contained'
    const answer = this.ask([a.id, b.id])
    this.memo.set(key, answer.is === 'none' ? { is: 'contained' } : { is: 'unknown', why: '' })
    return answer.is === 'none'
  }

  /** The union that a node is, with what is beside it; null where it is not one or more than one. */
  private unionOf(node: Node): Union | null {
    let at = node
    for (let steps = 0; at.op === 'ref' && steps < 20; steps++) at = this.solver.resolve(at.key)
    if (at.op === 'any' || at.op === 'one') return { op: at.op, parts: at.parts, beside: [] }
    if (at.op !== 'all') return null
    const unions = at.parts.filter((part) => part.op === 'any' || part.op === 'one')
    const [only] = unions
    if (unions.length !== 1 || (only?.op !== 'any' && only?.op !== 'one')) return null
    return { op: only.op, parts: only.parts, beside: at.parts.filter((part) => part !== only) }
  }
}
