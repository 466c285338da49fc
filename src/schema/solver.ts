import type { Json } from '../kernel/json.ts'
import { Checker, widerFormats } from './accepts.ts'
import { found, none, unknown } from './answer.ts'
import type { Answer, Goal, Literals, Solving } from './answer.ts'
import { CyclicMemo } from './cyclic-memo.ts'
import { Effort, Exhausted, exhausted, tooLarge } from './effort.ts'
import { integerFormats } from './validation/formats.ts'
import { solveArray } from './solve-array.ts'
import { solveDistinct } from './solve-distinct.ts'
import { solveObject } from './solve-object.ts'
import { solveNumber, solveString } from './solve-scalar.ts'
import { allTypes, canonical, scopeOf, typeBit, typeOf } from './node.ts'
import type { Node, NodeFactory } from './node.ts'
import { Survey } from './survey.ts'

/** Alternatives, one of which has to hold. */
interface Choice {
  /** The goal that they come from. */
  readonly goal: Goal
  readonly alternatives: readonly (readonly Goal[])[]
  /** What the choice keeps the value out of, where it comes from a refused conjunction. */
  readonly refused: Node | null
}

type Union = Extract<Node, { op: 'all' | 'any' | 'one' }>

interface State {
  /** Shared by the states of one branch; each takes out what it put in when it is done. */
  readonly seen: Set<Goal>
  /** What was put into `seen` since the state began. */
  readonly added: Goal[]
  readonly atoms: Goal[]
  readonly choices: Choice[]
  /** Conjunctions that the value is in and that can be distinguished from others by a label. */
  readonly labelled: Node[]
  mask: number
}

/**
 * Decides whether the intersection of nodes and complements of nodes is empty, and otherwise finds a value in it
 * (a tableau: conjunctions are taken apart, disjunctions tried, what remains is solved per JSON type).
 *
 * A value is finite, so a goal that needs itself has no value that way: cycles of references end there.
 */
export class Solver implements Solving {
  readonly factory: NodeFactory
  readonly resolve: (key: string) => Node
  readonly undeclared: 'yes' | 'no'
  readonly survey: Survey
  private readonly effort: Effort
  private readonly checker: Checker
  private readonly memo = new CyclicMemo<string, Answer>(
    none,
    (answer) => answer.is === 'none',
    (answer) => answer.is !== 'none',
  )

  constructor(factory: NodeFactory, resolve: (key: string) => Node, undeclared: 'yes' | 'no', effort: Effort) {
    this.factory = factory
    this.resolve = resolve
    this.undeclared = undeclared
    this.effort = effort
    this.survey = new Survey(factory, resolve, (steps) => effort.spend(steps))
    this.checker = new Checker(resolve, (steps) => effort.spend(steps))
  }

  /** Solves goals from nowhere, within what the effort has for one question. */
  ask(goals: readonly Goal[]): Answer {
    if (this.effort.isExhausted) return unknown(exhausted)
    this.effort.begin()
    try {
      return this.solve(goals)
    } catch (thrown) {
      if (!(thrown instanceof Exhausted || thrown instanceof RangeError)) throw thrown
      this.memo.abandon()
      return unknown(this.effort.isExhausted ? exhausted : tooLarge)
    }
  }

  /** Solves goals as part of an answer in progress. */
  solve(goals: readonly Goal[]): Answer {
    const sorted = inOrder(goals)
    this.spend(1 + sorted.length / 20)
    return this.memo.answer(sorted.join(' '), () => this.expand(sorted))
  }

  spend(steps = 1): void {
    this.effort.spend(steps)
  }

  /** Whether a goal holds for one value. */
  holds(goal: Goal, value: Json): boolean | null {
    const answer = this.checker.accepts(this.factory.byId(Math.abs(goal)), value)
    return answer === null ? null : goal > 0 ? answer : !answer
  }

  private expand(goals: readonly Goal[]): Answer {
    const state: State = { seen: new Set(), added: [], atoms: [], choices: [], labelled: [], mask: allTypes }
    for (const goal of goals) if (!this.add(state, goal)) return none
    return this.branch(state)
  }

  /** Takes a goal into the state; false when the state has become contradictory. */
  private add(state: State, goal: Goal): boolean {
    if (state.seen.has(goal)) return true
    if (state.seen.has(-goal)) return false
    state.seen.add(goal)
    state.added.push(goal)
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
          goal,
          alternatives: node.parts.map((part) => [yes ? part.id : -part.id]),
          refused: yes ? null : node,
        })
        return true
      case 'one':
        state.choices.push({
          goal,
          alternatives: yes ? this.exactlyOne(node) : this.noneOrTwo(node),
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
      const { low, high } = integerFormats[node.name]
      const range = factory.all([
        factory.bound('min', low, false),
        factory.bound('max', high, false),
        factory.multiple(1),
      ])
      return this.add(state, sign * range.id)
    }
    if (node.op === 'contains' && !yes) {
      const alternatives: Goal[][] = []
      if (node.min > 0) alternatives.push([factory.contains(node.part, 0, node.min - 1).id])
      if (node.max < Infinity) alternatives.push([factory.contains(node.part, node.max + 1, Infinity).id])
      state.choices.push({ goal: -node.id, alternatives, refused: null })
      return true
    }
    if (node.op === 'names' && !yes) {
      state.atoms.push(-node.id)
      return true
    }
    state.atoms.push(sign * node.id)
    return true
  }

  private exactlyOne({ parts }: Union): Goal[][] {
    const overlaps = this.survey.overlaps(parts)
    this.spend(parts.length / 20)
    return parts.map((part, i) => {
      this.spend(overlaps[i]!.length / 20)
      return [part.id, ...overlaps[i]!.map((j) => -parts[j]!.id)]
    })
  }

  /** None of them holds, or one and a later one. */
  private noneOrTwo({ parts }: Union): Goal[][] {
    const overlaps = this.survey.overlaps(parts)
    const alternatives: Goal[][] = [parts.map((part) => -part.id)]
    for (const [i, part] of parts.entries()) {
      this.spend(1 + overlaps[i]!.length / 20)
      const later = overlaps[i]!.filter((j) => j > i).map((j) => parts[j]!)
      if (later.length > 0) alternatives.push([part.id, this.factory.any(later).id])
    }
    return alternatives
  }

  /**
   * Solves a state. What was taken apart to get there says nothing beyond what is left, so two ways to one rest are one
   * question: chains of unions cost as much as they are long.
   */
  private branch(state: State): Answer {
    this.spend(1 + (state.atoms.length + state.choices.length) / 20)
    if (!this.reduce(state)) return none
    const order = (goals: Goal[]): string => goals.sort((a, b) => a - b).join(' ')
    const key = `${state.mask}|${order([...state.atoms])}|${order(state.choices.map((choice) => choice.goal))}`
    return this.memo.answer(key, () => (state.choices.length === 0 ? this.leaf(state) : this.tryAlternatives(state)))
  }

  private tryAlternatives(state: State): Answer {
    const [chosen] = state.choices.splice(nextChoice(state.choices), 1)
    let worst: Answer = none
    // What was taken apart long ago is dear to keep, and implied by what is left.
    const kept = state.atoms.length + state.choices.length
    const seen =
      state.seen.size > 2 * kept + 50 ? new Set([...state.atoms, ...state.choices.map((it) => it.goal)]) : state.seen
    for (const alternative of chosen!.alternatives) {
      this.spend(1 + kept / 20)
      const next: State = {
        seen,
        added: [],
        atoms: [...state.atoms],
        choices: [...state.choices],
        labelled: [...state.labelled],
        mask: state.mask,
      }
      const answer = alternative.every((goal) => this.add(next, goal)) ? this.branch(next) : none
      for (const goal of next.added) seen.delete(goal)
      if (answer.is === 'found') return answer
      if (answer.is === 'unknown') worst = answer
    }
    return worst
  }

  /** Drops alternatives that cannot hold and choices that already hold; takes what is left without a choice. False: dead. */
  private reduce(state: State): boolean {
    for (let again = true; again;) {
      again = false
      const choices = state.choices.splice(0)
      for (const choice of choices) {
        const { alternatives, refused } = choice
        this.spend(alternatives.length / 200)
        if (alternatives.some((alternative) => alternative.every((goal) => state.seen.has(goal)))) continue
        // What is in a branch of another label is kept out already.
        if (refused && state.labelled.some((node) => this.survey.disjoint(node, refused))) continue
        const possible = alternatives.filter((alternative) =>
          alternative.every((goal) => !state.seen.has(-goal) && (this.survey.typesOf(goal) & state.mask) !== 0),
        )
        if (possible.length === 0) return false
        if (possible.length === 1) {
          if (!possible[0]!.every((goal) => this.add(state, goal))) return false
          again = true
        } else
          state.choices.push(possible.length === alternatives.length ? choice : { ...choice, alternatives: possible })
      }
    }
    return true
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
      this.spend(state.atoms.length / 100)
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
    // Nothing is known about the format, so nothing is against the value.
    return answer === null && atom > 0 && this.factory.byId(atom).op === 'format' ? true : answer
  }

  private readonly counted = (steps: number): void => this.spend(steps)

  private distinct(solve: (literals: Literals) => Answer, literals: Literals, taken: ReadonlySet<string>): Answer {
    return solveDistinct(solve, this.factory, literals, taken, this.counted)
  }

  private solveType(type: keyof typeof typeBit, state: State): Answer {
    const yes: Node[] = []
    const no: Node[] = []
    let taken: Set<string> | null = null
    for (const atom of state.atoms) {
      const node = this.factory.byId(Math.abs(atom))
      if (node.op === 'values') {
        this.spend(node.keys.size / 200)
        taken ??= new Set()
        for (const key of node.keys) taken.add(key)
      } else if ((scopeOf(node) & typeBit[type]) !== 0 && node.op !== 'opaque') (atom > 0 ? yes : no).push(node)
    }
    if (contradictoryFormats(yes, no)) return none
    return this.solveLiterals(type, { yes, no }, taken ?? nothing)
  }

  private solveLiterals(type: keyof typeof typeBit, literals: Literals, taken: ReadonlySet<string>): Answer {
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
        return solveString(literals, taken, this.counted)
      case 'array':
        return this.distinct((it) => solveArray(this, it), literals, taken)
      case 'object':
        return this.distinct((it) => solveObject(this, it), literals, taken)
    }
  }
}

const nothing: ReadonlySet<string> = new Set()

/** Goals in their order, each once. */
const inOrder = (goals: readonly Goal[]): readonly Goal[] => {
  if (goals.length < 2) return goals
  const sorted = [...goals].sort((a, b) => a - b)
  return sorted.some((goal, i) => goal === sorted[i - 1]) ? [...new Set(sorted)] : sorted
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
