import type { Fact } from '../fact.ts'
import { Reached } from '../reached.ts'

/** The comparison of one pair of schemas in one use, shared by all who refer to it. */
export class SchemaEntry {
  readonly facts: Fact[] = []
  readonly children: SchemaEntry[] = []
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
    for (const child of it.children) reached.add(child)
  }
  return false
}

/** Attributes an entry and everything below it to an operation, by its number. */
export const attribute = (entry: SchemaEntry, operation: number): void => {
  if (!entry.operations.add(operation)) return
  for (const child of entry.children) attribute(child, operation)
}
