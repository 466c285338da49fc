import type { Transaction } from '../../db/database.ts'
import type { Deps } from '../kit/door.ts'
import type { OutboxEvent } from './events.ts'
import type { EventOf, ReaderName } from './readers.ts'

/** Something that follows from events. */
export interface OutboxReader<Name extends string = string, Event = OutboxEvent> {
  readonly name: Name
  /**
   * Writes what follows from an event, in the transaction that also deletes the task. A failure undoes only this and is
   * tried again later, for as long as it takes. It gets no event twice whose work was committed.
   */
  work(deps: Deps, tx: Transaction, event: Event): Promise<void>
  /** Writes what follows from several events in fewer statements. Where it fails each of them is worked on by itself. */
  workOnAll?(deps: Deps, tx: Transaction, events: readonly Event[]): Promise<void>
}

/**
 * Defines a reader that `readers.ts` declares; it works once it is in `server/registries.ts`. `work` gets only events of
 * the declared types. It loads its code when the first event comes, so that a command that records none starts faster.
 */
export const defineOutboxReader = <N extends ReaderName>(reader: OutboxReader<N, EventOf<N>>): OutboxReader<N> => reader
