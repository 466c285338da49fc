import type { Pace } from '../../src/lint/lint.ts'
import type { Engine } from './engine.ts'
import type { Material } from './subject.ts'
import type { Question } from './wire.ts'

/** What a task works with, in an analysis process or, where there is none, in this one. */
export interface Desk {
  readonly engine: Engine
  /** What the task is about, in the order in which it was given. */
  readonly materials: readonly Material[]
  /** Called with the progress; it may throw to stop it. */
  readonly pace: Pace
  /** The share of its time that the task has used: 0 at first, 1 at its deadline; 0 where there is none. */
  used(): number
  /** Asks the server for something. @throws Unanswered where it cannot be had */
  ask(question: Question): Promise<Uint8Array>
}

/** What a task was about cannot be had; why is known to anyone who was asked. */
export class Unanswered extends Error {}

/** The one thing that a task is about. */
export function onlyOne({ materials }: Desk): Material {
  const [first] = materials
  if (first === undefined) throw new Error('the task is about nothing')
  return first
}

/** The two things that a task is about. */
export function both({ materials }: Desk): readonly [Material, Material] {
  const [base, head] = materials
  if (base === undefined || head === undefined) throw new Error('the task is about two documents')
  return [base, head]
}
