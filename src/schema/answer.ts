import type { Json } from '../kernel/json.ts'
import type { Node, NodeFactory } from './node.ts'

/** Whether something is in all goals at once: a value that does, a proof that none does, or neither. */
export type Answer =
  | { readonly is: 'found'; readonly value: Json }
  | { readonly is: 'none' }
  | { readonly is: 'unknown'; readonly why: string }

/** A goal is the id of a node, negative where its complement is meant. */
export type Goal = number

export const none: Answer = { is: 'none' }
export const found = (value: Json): Answer => ({ is: 'found', value })
export const unknown = (why: string): Answer => ({ is: 'unknown', why })

/** What the atoms of one type say, after all choices are made. */
export interface Literals {
  readonly yes: readonly Node[]
  readonly no: readonly Node[]
}

/** What the solvers of single types need from the one that called them. */
export interface Solving {
  readonly factory: NodeFactory
  /**
   * Whether a value may carry a property that its own schema leaves undeclared but another one declares.
   * "no" is how people read an API description: who sends a value sends what is declared to it.
   */
  readonly undeclared: 'yes' | 'no'
  solve(goals: readonly Goal[]): Answer
  /** Whether a goal holds for one value; null where it cannot be decided. */
  holds(goal: Goal, value: Json): boolean | null
  /** Counts towards the bound of the question. */
  spend(steps?: number): void
}
