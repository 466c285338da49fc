import { isoOf } from '../clock.ts'
import { Database as Connection } from 'bun:sqlite'
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { sql } from 'drizzle-orm'
import { SvcError } from '../../src/errors.ts'
import { describeFileFailure, translateSqliteFailure } from '../failures.ts'
import { newId } from '../id.ts'
import { migrateSqlite } from '../migrate-sqlite.ts'
import { type DatabaseTarget, openDatabase } from '../open.ts'
import { executeSql } from '../portable.ts'
import { openSqlite } from '../sqlite.ts'
import { copyRows } from './copy-rows.ts'
import { damagedDocuments } from './damaged.ts'
import { copyObjects, countObjects } from './objects.ts'
import {
  backupFormat,
  type BackupManifest,
  type CheckedBackup,
  digestContent,
  listMigrations,
  type MovedOrganization,
  writeManifest,
} from './manifest.ts'

/** How a backup is made. */
export interface Making {
  readonly objects: 'copy' | 'reference'
  /** Gets what is done at the moment, in words. */
  readonly onProgress: (what: string) => void
}

/** The pages of a live SQLite database as of one instant; other processes continue writing. */
export function copyFile(from: string, to: string): void {
  let connection: Connection | undefined
  try {
    connection = new Connection(from, { readwrite: true, create: false })
    connection.run('PRAGMA busy_timeout = 5000')
    connection.run('VACUUM INTO ?', [to])
  } catch (error) {
    throw translateSqliteFailure(error, from)
  } finally {
    connection?.close()
  }
}

/** The rows of a Postgres database as of one instant, in a new SQLite file. */
async function copyFromPostgres(target: DatabaseTarget, to: string, { onProgress }: Making): Promise<void> {
  let copied = 0
  const onRows = (table: string, rows: number): void => {
    copied += rows
    onProgress(`copied ${copied} rows, now ${table}`)
  }
  await migrateSqlite(to)
  const from = await openDatabase(target)
  const copy = openSqlite(to)
  try {
    await from.inTransaction(
      (snapshot) =>
        copy.inTransaction(async (tx) => {
          await executeSql(tx, sql`pragma defer_foreign_keys = on`)
          await copyRows(snapshot, tx, onRows)
        }),
      { isolation: 'repeatable read' },
    )
  } finally {
    await copy.close()
    await from.close()
  }
}

/**
 * One file without side files, its manifest inside.
 * @param organization the one that the file holds alone; null: it holds a whole service
 */
export function seal(
  path: string,
  source: BackupManifest['source'],
  now: number,
  { onProgress, organization }: Pick<Making, 'onProgress'> & { readonly organization: MovedOrganization | null },
): CheckedBackup {
  const connection = new Connection(path, { readwrite: true, create: false })
  try {
    connection.run('PRAGMA journal_mode = DELETE')
    const objects = countObjects(connection)
    const content = digestContent(connection, (read) => {
      if (read % 1000 === 0) onProgress(`read ${read} rows`)
    })
    const manifest: BackupManifest = {
      format: backupFormat,
      madeAt: isoOf(now),
      source,
      ...(organization === null ? {} : { organization }),
      migrations: listMigrations(connection),
      ...content,
      ...(objects > 0 ? { objects } : {}),
    }
    writeManifest(connection, manifest)
    return { ...manifest, damaged: damagedDocuments(connection) }
  } finally {
    connection.close()
  }
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Writes all data as of one instant into a new file at `path`: a SQLite database on both engines, readable by its owner
 * alone, since it holds hashes of passwords and keys. The file appears when it is whole. Users continue working meanwhile.
 * A document that is damaged in the database is in the file as it is, and named: all others are worth keeping.
 * @param making what becomes of objects: they stay in the storage, which keeps what the newest verified backup refers to, or are copied
 *   into the file
 * @throws SvcError `backup-unusable` when the file exists or cannot be written; `storage-unavailable`, `document-damaged`; what opening the database raises
 */
export async function createBackup(
  target: DatabaseTarget,
  path: string,
  now: number,
  making: Making = { objects: 'reference', onProgress: () => {} },
): Promise<CheckedBackup> {
  const refuse = (reason: string) => new SvcError('backup-unusable', { path, reason })
  if (existsSync(path)) throw refuse('the file already exists')
  const draft = `${path}.${newId()}.partial`
  try {
    // Made first, so that no moment exists in which others may read it.
    closeSync(openSync(draft, 'wx', 0o600))
    if (target.kind === 'sqlite') {
      making.onProgress('copying the database')
      copyFile(target.path, draft)
    } else await copyFromPostgres(target, draft, making)
    if (making.objects === 'copy')
      await copyObjects(draft, target.objects ?? null, (copied, total) =>
        making.onProgress(`copied ${copied} of ${total} objects`),
      )
    const manifest = seal(draft, target.kind, now, { ...making, organization: null })
    chmodSync(draft, 0o600)
    flush(draft)
    renameSync(draft, path)
    flush(dirname(path))
    return manifest
  } catch (error) {
    const reason = describeFileFailure(error)
    throw reason ? refuse(reason) : error
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, { force: true })
  }
}
