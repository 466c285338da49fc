import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { SvcError } from '../src/errors.ts'
import type { Database } from './database.ts'
import { describeFileFailure } from './failures.ts'
import { migrateSqlite } from './migrate-sqlite.ts'
import { openSqlite } from './sqlite.ts'

/** Where the data is: a SQLite file (its folder is made when missing) or a `postgres://` address. */
export type DatabaseTarget =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string }

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    const reason = describeFileFailure(error)
    throw reason ? new SvcError('workspace-unusable', { path, reason }) : error
  }
}

/**
 * Opens a database and brings it to this program's newest migration first. `lockWaitMs` is how long a transaction on
 * SQLite waits for another process: 10 seconds when omitted.
 * @throws SvcError `workspace-unusable`, `database-unavailable`, `database-newer`
 */
export async function openDatabase(
  target: DatabaseTarget,
  options?: { readonly lockWaitMs?: number },
): Promise<Database> {
  if (target.kind === 'postgres') {
    // Loaded when it is needed: most commands work on a local workspace and start faster without it.
    const [{ migratePostgres }, { openPostgres }] = await Promise.all([
      import('./migrate-postgres.ts'),
      import('./postgres.ts'),
    ])
    await migratePostgres(target.url)
    return openPostgres(target.url)
  }
  makeFolder(dirname(target.path))
  await migrateSqlite(target.path)
  return openSqlite(target.path, options)
}
