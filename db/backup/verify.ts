import { Database as Connection } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { SvcError } from '../../src/errors.ts'
import { translateSqliteFailure } from '../failures.ts'
import { damagedDocuments } from './damaged.ts'
import {
  backupFormat,
  type BackupManifest,
  type CheckedBackup,
  digestContent,
  listMigrations,
  readManifest,
} from './manifest.ts'

/** The first thing that is wrong with a backup, in words; undefined when all is right. */
function findFault(connection: Connection, manifest: BackupManifest): string | undefined {
  const [integrity] = connection.query('PRAGMA integrity_check(1)').values()
  if (integrity?.[0] !== 'ok') return `the file is damaged (${String(integrity?.[0])})`
  const orphans = connection.query('PRAGMA foreign_key_check').values()
  if (orphans.length > 0) return `${orphans.length} of its rows point to rows that are missing`
  if (JSON.stringify(listMigrations(connection)) !== JSON.stringify(manifest.migrations))
    return 'its migrations are not those that its manifest names'
  const { rows, digest, searchDigest } = digestContent(connection)
  for (const [table, count] of Object.entries(manifest.rows))
    if (rows[table] !== count) return `its table ${table} has ${rows[table] ?? 0} rows instead of ${count}`
  if (digest !== manifest.digest) return 'its rows are not those that were backed up'
  return searchDigest === manifest.searchDigest ? undefined : 'its search index is not the one that was backed up'
}

/**
 * Reads a whole backup and compares it with its manifest, which it answers with the documents that are damaged. Changes nothing.
 * @throws SvcError `backup-unusable` naming what is wrong
 */
export function verifyBackup(path: string): CheckedBackup {
  const refuse = (reason: string) => new SvcError('backup-unusable', { path, reason })
  if (!existsSync(path)) throw refuse('the file does not exist')
  let connection: Connection | undefined
  try {
    connection = new Connection(path, { readonly: true })
    const manifest = readManifest(connection)
    if (manifest === undefined) throw refuse('it is a database, but not a backup made by svc')
    if (manifest === null) throw refuse('the file is damaged (its manifest cannot be read)')
    if (manifest.format > backupFormat) throw refuse('it was made by a newer svc')
    const fault = findFault(connection, manifest)
    if (fault) throw refuse(fault)
    return { ...manifest, damaged: damagedDocuments(connection) }
  } catch (error) {
    const meaning = translateSqliteFailure(error, path)
    if (meaning instanceof SvcError && meaning.code !== 'backup-unusable')
      throw refuse((meaning.detail as { reason: string }).reason)
    throw meaning
  } finally {
    connection?.close()
  }
}
