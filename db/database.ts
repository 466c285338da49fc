/**
 * What the layers above see of a database: one type for SQLite and Postgres. Only query-builder methods that both
 * engines run are in it.
 */
import type { PgRemoteDatabase } from 'drizzle-orm/pg-proxy'
import type { Objects } from './objects/store.ts'

export type Dialect = 'sqlite' | 'postgres'

type Builder = PgRemoteDatabase

/** Typed reads. Every query must be awaited. */
export type Reader = Pick<Builder, 'select' | 'selectDistinct' | '$with' | 'with' | '$count'>

/** Typed reads and writes inside a transaction; unusable after the transaction ended. */
export interface Transaction extends Reader, Pick<Builder, 'insert' | 'update' | 'delete'> {
  /** Runs work that may fail on its own: when it throws, only what it wrote is undone, and the error is passed on. */
  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Runs after the outermost transaction committed, in order; never after a rollback. */
  afterCommit(action: () => void): void
  /**
   * Waits until no other transaction holds the same key and holds it until the end of this one. Needed before every
   * read-modify-write that is not one conditional statement: two replicas on Postgres do not see each other's reads.
   */
  lock(key: string): Promise<void>
}

export interface TransactionOptions {
  /** Postgres only; "read committed" when omitted. SQLite is always serializable. */
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable'
}

export interface Database {
  /** Why nothing can be written, as part of a sentence; null where it can. Every transaction is refused with it. */
  readonly readOnly: string | null
  readonly dialect: Dialect
  /** Where large bytes are that rows refer to; null: all are in rows. */
  readonly objects: Objects | null
  /** Reads outside of any transaction: each sees what was committed before it began. */
  readonly read: Reader
  /**
   * Runs `work` in a transaction: commits when it resolves, undoes everything when it throws. On Postgres the work is
   * repeated after a serialization failure or a deadlock, so effects outside of the database belong into `afterCommit`.
   * Called inside of another transaction of the same database it becomes a savepoint of it.
   * @throws SvcError `database-unavailable`, `workspace-unusable`
   */
  inTransaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  close(): Promise<void>
}
