import type { Fact } from '../fact.ts'
import { Reached } from '../reached.ts'
import type { PlacedValue } from '../side.ts'
import type { Step } from './steps.ts'
import type { Use } from './use.ts'

/** What was compared. */
export interface Compared {
  readonly base: readonly PlacedValue[]
  readonly head: readonly PlacedValue[]
  readonly use: Use
  /** Whether it is all of a message: a body, a parameter, a header. */
  isRoot: boolean
}

/** An entry of a part, and how its value is reached from what holds it. */
export interface Child {
  readonly entry: SchemaEntry
  readonly step: Step
}

/** The comparison of one pair of schemas in one use, shared by all who refer to it. */
export class SchemaEntry {
  readonly facts: Fact[] = []
  readonly children: Child[] = []
  /** Null where no steps were left to compare it. */
  compared: Compared | null = null
  /** The operations that reach it. */
  readonly operations = new Reached()
  done = false
  /** Something in it or below it is breaking or undecided. */
  alarming = false
  /** Something in it or below it is breaking or undecided, and no switch says otherwise. */
  isSure = false
  /** Something below it was still being compared, in a cycle, when it was done. */
  waits = false

  /** Forgets what was stated, so that it can be stated again. */
  clear(): void {
    this.facts.length = 0
    this.children.length = 0
    this.alarming = false
    this.isSure = false
    this.waits = false
  }
}

/** Whether an entry, or one that can be reached from it, is alarming. */
export const reachesAlarm = (entry: SchemaEntry): boolean => {
  const reached = new Set([entry])
  for (const it of reached) {
    if (it.alarming) return true
    for (const child of it.children) reached.add(child.entry)
  }
  return false
}

/** Attributes an entry and everything below it to an operation, by its number. */
export const attribute = (entry: SchemaEntry, operation: number): void => {
  if (!entry.operations.add(operation)) return
  for (const child of entry.children) attribute(child.entry, operation)
}
