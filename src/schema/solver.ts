import type { Json } from '../document/json.ts'
import { accepts, widerFormats } from './accepts.ts'
import { found, none, unknown } from './answer.ts'
import type { Answer, Goal, Literals, Solving } from './answer.ts'
import { solveArray } from './solve-array.ts'
import { solveObject } from './solve-object.ts'
import { solveNumber, solveString } from './solve-scalar.ts'
import { allTypes, canonical, scopeOf, typeBit, typeOf } from './node.ts'
import type { Node, NodeFactory } from './node.ts'
import { Survey } from './survey.ts'

class Budget extends Error {}

/** Alternatives, one of which has to hold. */
interface Choice {
  readonly alternatives: readonly (readonly Goal[])[]
  /** What the choice keeps the value out of, where it comes from a refused conjunction. */
  readonly refused: Node | null
}

interface State {
  readonly seen: Set<Goal>
  readonly atoms: Goal[]
  readonly choices: Choice[]
  /** Conjunctions that the value lies in and that can be told from others by a label. */
  readonly labelled: Node[]
  mask: number
}

/**
 * Decides whether the intersection of nodes and complements of nodes is empty, and otherwise finds a value in it
 * (a tableau: conjunctions are taken apart, disjunctions tried, what remains is solved per JSON type).
 *
 * A value is finite, so a goal that needs itself has no value that way: cycles of references end there. Such an answer
 * holds only together with the goal it leaned on, therefore it is kept as provisional until that one is settled.
 */
export class Solver implements Solving {
  readonly factory: NodeFactory
  readonly resolve: (key: string) => Node
  readonly undeclared: 'yes' | 'no'
  readonly survey: Survey
  private readonly memo = new Map<string, Answer>()
  private readonly open = new Map<string, number>()
  private readonly provisional: { key: string; answer: Answer }[][] = []
  private lowest = Infinity
  private spent = 0
  private limit = 0

  constructor(factory: NodeFactory, resolve: (key: string) => Node, undeclared: 'yes' | 'no') {
    this.factory = factory
    this.resolve = resolve
    this.undeclared = undeclared
    this.survey = new Survey(factory, resolve)
  }

  /** Solves goals from nowhere; `budget` bounds the steps. */
  ask(goals: readonly Goal[], budget = 60_000): Answer {
    this.spent = 0
    this.limit = budget
    try {
      return this.solve(goals)
    } catch (thrown) {
      if (!(thrown instanceof Budget || thrown instanceof RangeError)) throw thrown
      this.open.clear()
      this.provisional.length = 0
      this.lowest = Infinity
      return unknown('it is too large to decide within the bound')
    }
  }

  /** Solves goals as part of an answer in progress. */
  solve(goals: readonly Goal[]): Answer {
    const sorted = [...new Set(goals)].sort((a, b) => a - b)
    const key = sorted.join(' ')
    const known = this.memo.get(key)
    if (known) return known
    const depth = this.open.get(key)
    if (depth !== undefined) {
      this.lowest = Math.min(this.lowest, depth)
      return none
    }
    this.spend()
    const level = this.open.size
    this.open.set(key, level)
    this.provisional.push([])
    const outer = this.lowest
    this.lowest = Infinity
    const answer = this.expand(sorted)
    this.open.delete(key)
    const leaned = this.lowest
    this.lowest = Math.min(outer, leaned < level ? leaned : Infinity)
    this.settle(key, answer, leaned >= level)
    return answer
  }

  private settle(key: string, answer: Answer, settled: boolean): void {
    const pending = this.provisional.pop()!
    if (answer.is === 'found') {
      this.memo.set(key, answer)
      return
    }
    if (settled) {
      this.memo.set(key, answer)
      if (answer.is === 'none') for (const it of pending) this.memo.set(it.key, it.answer)
    } else if (answer.is === 'none') {
      const below = this.provisional.at(-1)
      below?.push(...pending, { key, answer })
    }
  }

  /** The steps that the last question took. */
  get steps(): number {
    return this.spent
  }

  spend(steps = 1): void {
    this.spent += steps
    if (this.spent > this.limit) throw new Budget()
  }

  /** Whether a goal holds for one value. */
  holds(goal: Goal, value: Json): boolean | null {
    const answer = accepts(this.factory.byId(Math.abs(goal)), value, this.resolve)
    return answer === null ? null : goal > 0 ? answer : !answer
  }

  private expand(goals: readonly Goal[]): Answer {
    const state: State = { seen: new Set(), atoms: [], choices: [], labelled: [], mask: allTypes }
    for (const goal of goals) if (!this.add(state, goal)) return none
    return this.branch(state)
  }

  /** Takes a goal into the state; false when the state has become contradictory. */
  private add(state: State, goal: Goal): boolean {
    if (state.seen.has(goal)) return true
    if (state.seen.has(-goal)) return false
    state.seen.add(goal)
    this.spend(0.05)
    const node = this.factory.byId(Math.abs(goal))
    const yes = goal > 0
    switch (node.op) {
      case 'true':
        return yes
      case 'false':
        return !yes
      case 'types':
        state.mask &= yes ? node.mask : allTypes & ~node.mask
        return state.mask !== 0
      case 'all':
      case 'any':
        if (yes && node.op === 'all' && this.survey.isLabelled(node)) state.labelled.push(node)
        if (yes === (node.op === 'all')) return node.parts.every((part) => this.add(state, yes ? part.id : -part.id))
        state.choices.push({
          alternatives: node.parts.map((part) => [yes ? part.id : -part.id]),
          refused: yes ? null : node,
        })
        return true
      case 'one':
        state.choices.push({
          alternatives: yes ? this.exactlyOne(node.parts) : this.noneOrTwo(node.parts),
          refused: null,
        })
        return true
      case 'not':
        return this.add(state, yes ? -node.part.id : node.part.id)
      case 'ref': {
        const target = this.resolve(node.key)
        return this.add(state, yes ? target.id : -target.id)
      }
      default:
        return this.addAtom(state, node, yes)
    }
  }

  private addAtom(state: State, node: Node, yes: boolean): boolean {
    const scope = scopeOf(node)
    if (!yes && scope !== allTypes) {
      state.mask &= scope
      if (state.mask === 0) return false
    }
    const { factory } = this
    const sign = yes ? 1 : -1
    if (node.op === 'lacks' && !yes) return this.add(state, factory.required(node.name).id)
    if (node.op === 'required' && !yes) return this.add(state, factory.lacks(node.name).id)
    if (node.op === 'required' && yes && state.seen.has(factory.lacks(node.name).id)) state.mask &= ~typeBit.object
    if (node.op === 'lacks' && yes && state.seen.has(factory.required(node.name).id)) state.mask &= ~typeBit.object
    if (state.mask === 0) return false
    if (node.op === 'format' && (node.name === 'int32' || node.name === 'int64')) {
      const [low, high] = node.name === 'int32' ? [-2147483648, 2147483647] : [-(2 ** 63), 2 ** 63]
      const range = factory.all([
        factory.bound('min', low, false),
        factory.bound('max', high, node.name === 'int64'),
        factory.multiple(1),
      ])
      return this.add(state, sign * range.id)
    }
    if (node.op === 'contains' && !yes) {
      const alternatives: Goal[][] = []
      if (node.min > 0) alternatives.push([factory.contains(node.part, 0, node.min - 1).id])
      if (node.max < Infinity) alternatives.push([factory.contains(node.part, node.max + 1, Infinity).id])
      state.choices.push({ alternatives, refused: null })
      return true
    }
    if (node.op === 'names' && !yes) {
      state.atoms.push(-node.id)
      return true
    }
    state.atoms.push(sign * node.id)
    return true
  }

  private exactlyOne(parts: readonly Node[]): Goal[][] {
    return parts.map((part, i) => {
      const goals = [part.id]
      for (const [j, other] of parts.entries()) {
        if (i !== j && !this.survey.disjoint(part, other)) goals.push(-other.id)
      }
      return goals
    })
  }

  private noneOrTwo(parts: readonly Node[]): Goal[][] {
    const alternatives: Goal[][] = [parts.map((part) => -part.id)]
    for (const [i, part] of parts.entries()) {
      for (const other of parts.slice(i + 1))
        if (!this.survey.disjoint(part, other)) alternatives.push([part.id, other.id])
    }
    return alternatives
  }

  private branch(state: State): Answer {
    this.spend()
    for (;;) {
      const reduced = this.reduce(state)
      if (reduced === 'dead') return none
      if (reduced === 'done') break
    }
    if (state.choices.length === 0) return this.leaf(state)
    const [chosen] = state.choices.splice(nextChoice(state.choices), 1)
    let worst: Answer = none
    for (const alternative of chosen!.alternatives) {
      // A large state is dear to copy.
      this.spend(1 + state.seen.size / 50)
      const next: State = {
        seen: new Set(state.seen),
        atoms: [...state.atoms],
        choices: [...state.choices],
        labelled: [...state.labelled],
        mask: state.mask,
      }
      if (!alternative.every((goal) => this.add(next, goal))) continue
      const answer = this.branch(next)
      if (answer.is === 'found') return answer
      if (answer.is === 'unknown') worst = answer
    }
    return worst
  }

  /** Drops alternatives that cannot hold and choices that already hold; takes what is left without a choice. */
  private reduce(state: State): 'dead' | 'again' | 'done' {
    let again = false
    const remaining: Choice[] = []
    const choices = state.choices.splice(0)
    for (const [i, choice] of choices.entries()) {
      const { alternatives, refused } = choice
      if (alternatives.some((alternative) => alternative.every((goal) => state.seen.has(goal)))) continue
      // What lies in a branch of another label is kept out already.
      if (refused && state.labelled.some((node) => this.survey.disjoint(node, refused))) continue
      const possible = alternatives.filter((alternative) =>
        alternative.every((goal) => !state.seen.has(-goal) && (this.survey.typesOf(goal) & state.mask) !== 0),
      )
      if (possible.length === 0) return 'dead'
      if (possible.length === 1) {
        if (!possible[0]!.every((goal) => this.add(state, goal))) return 'dead'
        again = true
        state.choices.push(...remaining, ...choices.slice(i + 1))
        return 'again'
      }
      remaining.push(possible.length === alternatives.length ? choice : { alternatives: possible, refused })
    }
    state.choices.push(...remaining)
    return again ? 'again' : 'done'
  }

  private leaf(state: State): Answer {
    const values = state.atoms.filter((goal) => goal > 0 && this.factory.byId(goal).op === 'values')
    if (values.length > 0) return this.choose(state, values[0]!)
    const opaque = state.atoms.find((goal) => this.factory.byId(Math.abs(goal)).op === 'opaque')
    let worst: Answer = none
    for (const type of ['string', 'number', 'boolean', 'array', 'object', 'null'] as const) {
      if ((state.mask & typeBit[type]) === 0) continue
      const answer = this.solveType(type, state)
      if (answer.is === 'none') continue
      if (answer.is === 'unknown') worst = answer
      else if (opaque !== undefined) worst = unknown(this.opaqueReason(opaque))
      else return answer
    }
    return worst
  }

  private opaqueReason(goal: Goal): string {
    const node = this.factory.byId(Math.abs(goal))
    return node.op === 'opaque' ? `it depends on ${node.what.slice(0, 80)}` : 'it depends on something undecided'
  }

  /** An enumeration is tried value by value. */
  private choose(state: State, goal: Goal): Answer {
    const node = this.factory.byId(goal)
    if (node.op !== 'values') return none
    let worst: Answer = none
    for (const value of node.values) {
      this.spend()
      if ((state.mask & typeBit[typeOf(value)]) === 0) continue
      const answers = state.atoms.map((atom) => this.holdsAtom(atom, value))
      if (answers.includes(false)) continue
      if (answers.every((answer) => answer === true)) return found(value)
      worst = unknown('it depends on a format or keyword that cannot be checked')
    }
    return worst
  }

  private holdsAtom(atom: Goal, value: Json): boolean | null {
    const answer = this.holds(atom, value)
    // Nothing is known about the format, so nothing stands against the value.
    return answer === null && atom > 0 && this.factory.byId(atom).op === 'format' ? true : answer
  }

  private solveType(type: keyof typeof typeBit, state: State): Answer {
    const yes: Node[] = []
    const no: Node[] = []
    const taken = new Set<string>()
    for (const atom of state.atoms) {
      const node = this.factory.byId(Math.abs(atom))
      if (node.op === 'values') for (const key of node.keys) taken.add(key)
      else if ((scopeOf(node) & typeBit[type]) !== 0 && node.op !== 'opaque') (atom > 0 ? yes : no).push(node)
    }
    if (contradictoryFormats(yes, no)) return none
    const literals: Literals = { yes, no }
    switch (type) {
      case 'null':
        return taken.has('null') ? none : found(null)
      case 'boolean': {
        const value = [true, false].find((it) => !taken.has(canonical(it)))
        return value === undefined ? none : found(value)
      }
      case 'number':
        return solveNumber(literals, taken)
      case 'string':
        return solveString(literals, taken)
      case 'array':
        return solveArray(this, literals, taken)
      case 'object':
        return solveObject(this, literals, taken)
    }
  }
}

/**
 * The choice to make next: the smallest, but one that says what the value is before those that say what it is not, as long as
 * it has fewer alternatives than these have combinations: it settles many of them.
 */
const nextChoice = (choices: readonly Choice[]): number => {
  let [best, positive] = [0, -1]
  let combinations = 1
  const size = (at: number): number => choices[at]!.alternatives.length
  for (const [i, choice] of choices.entries()) {
    if (size(i) < size(best)) best = i
    if (choice.refused) combinations *= Math.min(size(i), 4)
    else if (positive < 0 || size(i) < size(positive)) positive = i
  }
  return positive >= 0 && size(positive) <= combinations ? positive : best
}

const contradictoryFormats = (yes: readonly Node[], no: readonly Node[]): boolean =>
  yes.some(
    (a) =>
      a.op === 'format' &&
      no.some((b) => b.op === 'format' && (a.name === b.name || widerFormats.get(a.name)?.includes(b.name))),
  )
