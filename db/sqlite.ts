/**
 * SQLite: one connection that writes, one that only reads, in WAL. Transactions queue for the writer; another process
 * on the same file is waited for without blocking the event loop.
 */
import { Database as Connection } from 'bun:sqlite'
import type { Database, Reader, Transaction } from './database.ts'
import { isBusy, isUnwritable, translateSqliteFailure } from './failures.ts'
import { buildQueries, type Execute } from './portable.ts'
import { assertAlive, currentTransaction, type Life, newLife, pause, Queue, runAsCurrent } from './transaction.ts'

/** How long to wait for another process to finish its transaction. */
const defaultLockWaitMs = 10_000

// Bun prepares statements again once more distinct ones than this are in use; the default of 20 is far too few.
;(Connection as unknown as { MAX_QUERY_CACHE_SIZE: number }).MAX_QUERY_CACHE_SIZE = 1000

type Binding = Parameters<ReturnType<Connection['query']>['all']>[number]

export function executor(connection: Connection, path: string, check: () => void): Execute {
  return async (text, params, shape) => {
    check()
    try {
      const statement = connection.query(text)
      return shape === 'values' ? statement.values(...(params as Binding[])) : statement.all(...(params as Binding[]))
    } catch (error) {
      throw translateSqliteFailure(error, path)
    }
  }
}

/** Runs a statement; while another connection holds the lock that it needs, tries again for `waitMs`. */
export async function retryWhileBusy<T>(run: () => T, waitMs = defaultLockWaitMs): Promise<T> {
  const deadline = Date.now() + waitMs
  for (;;) {
    try {
      return run()
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
      await pause(2 + Math.random() * 10)
    }
  }
}

interface Writer {
  readonly connection: Connection
  readonly path: string
  readonly database: Database
  readonly lockWaitMs: number
  savepoints: number
}

function makeTransaction(writer: Writer, life: Life): Transaction {
  const { connection, path, database } = writer
  const siblings = new Queue()
  const queries = buildQueries(
    'sqlite',
    executor(connection, path, () => assertAlive(life)),
  )
  return Object.assign(queries, {
    afterCommit: (action: () => void) => void life.afterCommit.push(action),
    lock: async () => assertAlive(life),
    // Savepoints are a stack: siblings that were started together must follow each other.
    savepoint: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
      siblings.run(async () => {
        assertAlive(life)
        const name = `s${++writer.savepoints}`
        const actions = life.afterCommit.length
        connection.run(`SAVEPOINT ${name}`)
        try {
          const tx = makeTransaction(writer, life)
          const result = await runAsCurrent({ database, tx, life }, work)
          connection.run(`RELEASE ${name}`)
          return result
        } catch (error) {
          if (life.alive && connection.inTransaction) connection.run(`ROLLBACK TO ${name}; RELEASE ${name}`)
          life.afterCommit.length = actions
          throw error
        }
      }),
  })
}

async function runTransaction<T>(writer: Writer, life: Life, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { connection, path, database, lockWaitMs } = writer
  try {
    await retryWhileBusy(() => connection.run('BEGIN IMMEDIATE'), lockWaitMs)
  } catch (error) {
    throw translateSqliteFailure(error, path)
  }
  try {
    const tx = makeTransaction(writer, life)
    const result = await runAsCurrent({ database, tx, life }, work)
    connection.run('COMMIT')
    return result
  } catch (error) {
    if (connection.inTransaction) connection.run('ROLLBACK')
    throw translateSqliteFailure(error, path)
  } finally {
    life.alive = false
  }
}

/**
 * Opens a migrated SQLite file for reading and writing.
 * @throws SvcError `workspace-unusable`, `database-unavailable`
 */
export function openSqlite(path: string, { lockWaitMs = defaultLockWaitMs } = {}): Database {
  let connection: Connection
  let reading: Connection
  try {
    connection = new Connection(path, { readwrite: true, create: true })
    // The waiting on opening may block; in a transaction it must not, see retryWhileBusy.
    connection.run('PRAGMA busy_timeout = 5000')
    connection.run('PRAGMA journal_mode = WAL')
    connection.run('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 0')
    reading = new Connection(path, { readwrite: true })
    reading.run('PRAGMA busy_timeout = 2000; PRAGMA query_only = ON')
  } catch (error) {
    throw translateSqliteFailure(error, path)
  }
  const queue = new Queue()
  const read: Reader = buildQueries(
    'sqlite',
    executor(reading, path, () => {}),
  )
  const database: Database = {
    dialect: 'sqlite',
    readOnly: null,
    objects: null,
    read,
    async inTransaction(work) {
      const outer = currentTransaction(database)
      if (outer) return outer.savepoint(work)
      const life = newLife()
      const result = await queue.run(() => runTransaction(writer, life, work))
      for (const action of life.afterCommit) action()
      return result
    },
    async close() {
      await queue.run(async () => {
        reading.close()
        try {
          connection.run('PRAGMA optimize')
        } catch (error) {
          // Only statistics: anyone who closes next while no one writes, and who can, gathers them.
          if (!isBusy(error) && !isUnwritable(error)) throw translateSqliteFailure(error, path)
        } finally {
          connection.close()
        }
      })
    },
  }
  const writer: Writer = { connection, path, database, lockWaitMs, savepoints: 0 }
  return database
}
