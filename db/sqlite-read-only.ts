/** A SQLite file that can be read and not written: in a read-only folder, or on a full disk. */
import { constants, Database as Connection } from 'bun:sqlite'
import { existsSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { SvcError } from '../src/errors.ts'
import type { Database } from './database.ts'
import { type Applied, listSql, planMigrations } from './migration-plan.ts'
import { migrations } from './migrations.gen.ts'
import { buildQueries } from './portable.ts'
import { executor } from './sqlite.ts'

/** Whether a log beside the file holds what the file does not have yet. */
const hasLog = (path: string): boolean => existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0

function connect(path: string): Connection {
  try {
    const connection = new Connection(path, { readonly: true })
    connection.query('select 1 from sqlite_master').get()
    return connection
  } catch (error) {
    // The side files of the log cannot be made there; a file without a log needs none.
    if (hasLog(path)) throw error
    const address = `${pathToFileURL(path).href}?immutable=1`
    return new Connection(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
  }
}

/**
 * Opens a migrated SQLite file for reading alone; null where that is not possible either.
 * @param reason why nothing can be written, as part of a sentence
 */
export function openReadOnly(path: string, reason: string): Database | null {
  let connection: Connection
  try {
    connection = connect(path)
    const applied = connection.query(listSql).all() as Applied[]
    if (planMigrations(migrations.sqlite, applied).length > 0) {
      connection.close()
      return null
    }
    connection.run('PRAGMA query_only = ON')
  } catch {
    return null
  }
  return {
    dialect: 'sqlite',
    readOnly: reason,
    objects: null,
    read: buildQueries(
      'sqlite',
      executor(connection, path, () => {}),
    ),
    inTransaction: () => Promise.reject(new SvcError('workspace-unusable', { path, reason })),
    close: async () => connection.close(),
  }
}
