import { canonical } from '../schema/node.ts'
import type { Fact } from './fact.ts'
import { OperationNames, Reached } from './reached.ts'
import { attribute } from './schema/entry.ts'
import type { SchemaEntry } from './schema/entry.ts'
import { pointerOf } from './side.ts'

/** A fact and the operations that it reaches. */
export interface Collected {
  readonly fact: Fact
  readonly operations: readonly string[]
}

const rank = { docs: 0, safe: 1, unknown: 2, breaking: 3 } as const

/** Gathers facts; what is found by several ways is one fact that reaches several operations. */
export class Collector {
  private readonly names = new OperationNames()
  private readonly found = new Map<string, { fact: Fact; operations: Reached }>()
  private readonly entries = new Set<SchemaEntry>()

  add(fact: Fact, operations: readonly string[]): void {
    const reached = new Reached()
    for (const it of operations) reached.add(this.names.numberOf(it))
    this.put(fact, reached)
  }

  private put(fact: Fact, operations: Reached): void {
    const key = [
      fact.direction,
      fact.area,
      fact.kind,
      fact.action,
      fact.base && pointerOf(fact.base),
      fact.head && pointerOf(fact.head),
      fact.subject,
      canonical([fact.before, fact.after]),
    ].join(' ')
    const known = this.found.get(key)
    if (!known) this.found.set(key, { fact, operations: operations.copy() })
    else if (rank[fact.verdict] > rank[known.fact.verdict]) {
      known.fact = fact
      known.operations = operations.copy()
    } else if (rank[fact.verdict] === rank[known.fact.verdict]) known.operations.join(operations)
  }

  /** Takes over a comparison of schemas on behalf of an operation. */
  take(entry: SchemaEntry | null, operation: string | null): void {
    if (!entry) return
    this.remember(entry)
    if (operation !== null) attribute(entry, this.names.numberOf(operation))
  }

  private remember(entry: SchemaEntry): void {
    if (this.entries.has(entry)) return
    this.entries.add(entry)
    for (const child of entry.children) this.remember(child.entry)
  }

  /** Everything that was gathered, once each. */
  finish(): readonly Collected[] {
    for (const entry of this.entries) for (const fact of entry.facts) this.put(fact, entry.operations)
    return [...this.found.values()].map(({ fact, operations }) => ({ fact, operations: this.names.listOf(operations) }))
  }
}
