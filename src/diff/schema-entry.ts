import type { Fact } from './fact.ts'

/** The comparison of one pair of schemas in one use, shared by all who refer to it. */
export class SchemaEntry {
  readonly facts: Fact[] = []
  readonly children: SchemaEntry[] = []
  /** Names of the operations that reach it. */
  readonly operations = new Set<string>()
  done = false
  /** Something in it or below it is breaking or undecided. */
  alarming = false
}

/** Attributes an entry and everything below it to an operation. */
export const attribute = (entry: SchemaEntry, operation: string): void => {
  if (entry.operations.has(operation)) return
  entry.operations.add(operation)
  for (const child of entry.children) attribute(child, operation)
}
