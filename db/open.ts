import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { SvcError } from '../src/errors.ts'
import type { Database } from './database.ts'
import type { Objects } from './objects/store.ts'
import { describeFileFailure } from './failures.ts'
import { migrateSqlite } from './migrate-sqlite.ts'
import { summarizeStale } from './projects/summary.ts'
import type { PostgresConnections } from './pooler.ts'
import { openSqlite } from './sqlite.ts'

/** Where the data is: a SQLite file (its folder is made when missing) or a `postgres://` address; and where its objects are. */
export type DatabaseTarget = DatabasePlace & {
  /** The store of large bytes; all are in rows when absent. */
  readonly objects?: Objects | null
}

type DatabasePlace =
  | { readonly kind: 'sqlite'; readonly path: string }
  | {
      readonly kind: 'postgres'
      readonly url: string
      /** The address as it is configured now: only its password may have changed, and later connections use it. */
      readonly currentUrl?: () => string
      /** `defaultConnections` when absent. */
      readonly connections?: PostgresConnections
    }

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    const reason = describeFileFailure(error)
    throw reason ? new SvcError('workspace-unusable', { path, reason }) : error
  }
}

// A file that is damaged, locked or no database is not one that cannot be written.
const unwritable = /read-only|no permission|full|quota|cannot be opened|reading or writing/

function unwritableReason({ code, detail }: SvcError): string | null {
  if (code !== 'workspace-unusable' && code !== 'database-unavailable') return null
  const { reason } = detail as { readonly reason: string }
  return unwritable.test(reason) ? reason : null
}

/** Fills the columns that a migration added and that only code can make. */
async function completed(db: Database, applied: readonly string[]): Promise<Database> {
  if (applied.length > 0) await summarizeStale(db, null)
  return db
}

/**
 * Opens a database and brings it to this program's newest migration first. `lockWaitMs` is how long a transaction on
 * SQLite waits for another process: 10 seconds when omitted.
 * A SQLite file that cannot be written is opened for reading: `readOnly` says why.
 * @throws SvcError `workspace-unusable`, `database-unavailable`, `database-newer`
 */
export async function openDatabase(
  target: DatabaseTarget,
  options?: { readonly lockWaitMs?: number },
): Promise<Database> {
  // The database itself, not a copy of it: transactions know it by its identity.
  return Object.assign(await openRows(target, options), { objects: target.objects ?? null })
}

async function openRows(target: DatabaseTarget, options?: { readonly lockWaitMs?: number }): Promise<Database> {
  if (target.kind === 'postgres') {
    // Loaded when it is needed: most commands work on a local workspace and start faster without it.
    const [{ migratePostgres }, { openPostgres }, { findWay }] = await Promise.all([
      import('./migrate-postgres.ts'),
      import('./postgres.ts'),
      import('./pooler.ts'),
    ])
    const { url, currentUrl, connections } = target
    const way = await findWay(url, connections)
    const applied = await migratePostgres(url, undefined, way)
    return completed(openPostgres(url, { ...connections, currentUrl, way }), applied)
  }
  const { path } = target
  try {
    makeFolder(dirname(path))
    const applied = await migrateSqlite(path)
    return await completed(openSqlite(path, options), applied)
  } catch (error) {
    const reason = error instanceof SvcError ? unwritableReason(error) : null
    if (reason === null || !existsSync(path)) throw error
    const { openReadOnly } = await import('./sqlite-read-only.ts')
    const database = openReadOnly(path, reason)
    if (database === null) throw error
    return database
  }
}
