import type { Transaction } from '../../db/database.ts'
import type { Deps } from '../deps.ts'
import type { OutboxEvent, OutboxEventType } from './events.ts'

/** Something that follows from events. */
export interface OutboxReader {
  /** How its tasks name it: it must not change while tasks of it are kept. */
  readonly name: string
  readonly types: ReadonlySet<OutboxEventType>
  /**
   * Writes what follows from an event, in the transaction that also deletes the task. A failure undoes only this and is
   * tried again later, for as long as it takes. It gets no event twice whose work was committed.
   */
  readonly work: (deps: Deps, tx: Transaction, event: OutboxEvent) => Promise<void>
  /** Writes what follows from several events in fewer statements. Where it fails each of them is worked on by itself. */
  readonly workOnAll?: (deps: Deps, tx: Transaction, events: readonly OutboxEvent[]) => Promise<void>
}

/**
 * Declares a reader; it works once it is in the list of `readers.ts`. `work` gets only events of the declared types. It
 * must load its code itself (`await import(…)`), since everything that writes events knows the list of readers.
 */
export function defineOutboxReader<T extends OutboxEventType>(reader: {
  readonly name: string
  readonly types: readonly T[]
  readonly work: (deps: Deps, tx: Transaction, event: Extract<OutboxEvent, { type: T }>) => Promise<void>
  readonly workOnAll?: (
    deps: Deps,
    tx: Transaction,
    events: readonly Extract<OutboxEvent, { type: T }>[],
  ) => Promise<void>
}): OutboxReader {
  return { ...(reader as unknown as OutboxReader), types: new Set<OutboxEventType>(reader.types) }
}
