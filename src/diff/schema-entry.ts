import type { Fact } from './fact.ts'
import { Reached } from './reached.ts'

/** The comparison of one pair of schemas in one use, shared by all who refer to it. */
export class SchemaEntry {
  readonly facts: Fact[] = []
  readonly children: SchemaEntry[] = []
  /** The operations that reach it. */
  readonly operations = new Reached()
  done = false
  /** Something in it or below it is breaking or undecided. */
  alarming = false
  /** So it is for sure: what is still being compared, in a cycle, is alarming until it is known. */
  isSure = false

  /** Forgets what was stated, so that it can be stated again. */
  clear(): void {
    this.facts.length = 0
    this.children.length = 0
    this.alarming = false
    this.isSure = false
  }
}

/** Attributes an entry and everything below it to an operation, by its number. */
export const attribute = (entry: SchemaEntry, operation: number): void => {
  if (!entry.operations.add(operation)) return
  for (const child of entry.children) attribute(child, operation)
}
