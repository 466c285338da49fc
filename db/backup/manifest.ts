/** What a backup says about itself, in a table of its own inside of the file, and the digest that proves it. */
import type { Database as Connection } from 'bun:sqlite'
import type { Dialect } from '../database.ts'

/** Raised when a reader of older backups would misread newer ones. */
export const backupFormat = 1

/** The organization that a file holds alone. */
export interface MovedOrganization {
  readonly id: string
  readonly slug: string
  readonly name: string
}

export interface BackupManifest {
  /** Absent where the file holds a whole service. */
  readonly organization?: MovedOrganization
  readonly format: number
  /** When the backup was made: ISO 8601 in UTC. */
  readonly madeAt: string
  /** The engine that the rows came from. */
  readonly source: Dialect
  /** Ids of the migrations that the rows fit. */
  readonly migrations: readonly string[]
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>
  /** SHA-256 of every row of every table. */
  readonly digest: string
  /** SHA-256 of the search index, which no row of the tables shows. */
  readonly searchDigest: string
  /** Objects that its rows refer to, which are in the storage and not in the file; absent: none. */
  readonly objects?: number
}

/** A backup whose documents were read. */
export interface CheckedBackup extends BackupManifest {
  /** The documents that were damaged before they were backed up, by their versions. */
  readonly damaged: readonly string[]
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Tables by name, without SQLite's and svc's bookkeeping.
 * @param kind `table`: those with rows of their own; `shadow`: those that hold a search index
 */
function listTables(connection: Connection, kind: 'table' | 'shadow'): string[] {
  return connection
    .query(
      `select name from pragma_table_list where schema = 'main' and type = ?
       and name not like 'sqlite\\_%' escape '\\' and name not like 'svc\\_%' escape '\\' order by name`,
    )
    .values(kind)
    .map(([name]) => String(name))
}

/** Counts and digests what is stored, and digests the search index. */
export function digestContent(
  connection: Connection,
  onRow: (read: number) => void = () => {},
): Pick<BackupManifest, 'rows' | 'digest' | 'searchDigest'> {
  return {
    ...digestTables(connection, 'table', onRow),
    searchDigest: digestTables(connection, 'shadow', () => {}).digest,
  }
}

/** Each value with its type and length, rows by primary key, tables by name. */
function digestTables(
  connection: Connection,
  kind: 'table' | 'shadow',
  onRow: (read: number) => void,
): Pick<BackupManifest, 'rows' | 'digest'> {
  let read = 0
  const hasher = new Bun.CryptoHasher('sha256')
  const rows: Record<string, number> = {}
  for (const table of listTables(connection, kind)) {
    const columns = connection.query(`select name, pk from pragma_table_info(?) order by name`).all(table) as {
      name: string
      pk: number
    }[]
    const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
    hasher.update(`table ${table} ${columns.map(({ name }) => name).join(' ')}\n`)
    let count = 0
    const names = columns.map(({ name }) => quote(name)).join(', ')
    const order = keys.map(({ name }) => quote(name)).join(', ')
    const statement = connection.prepare(`select ${names} from ${quote(table)} order by ${order}`)
    for (const row of statement.iterate() as Iterable<Record<string, unknown>>) {
      count++
      onRow(++read)
      for (const { name } of columns) digestValue(hasher, row[name])
    }
    statement.finalize()
    rows[table] = count
  }
  return { rows, digest: hasher.digest('hex') }
}

function digestValue(hasher: Bun.CryptoHasher, value: unknown): void {
  if (value === null || value === undefined) hasher.update('-')
  else if (value instanceof Uint8Array) hasher.update(`b${value.length}:`).update(value)
  else {
    const text = String(value)
    hasher.update(`${typeof value === 'string' ? 't' : 'n'}${text.length}:${text}`)
  }
}

/** The ids of the migrations that a database has. */
export const listMigrations = (connection: Connection): string[] =>
  connection
    .query('select id from svc_migrations order by id')
    .values()
    .map(([id]) => String(id))

export function writeManifest(connection: Connection, manifest: BackupManifest): void {
  connection.run('drop table if exists svc_backup; create table svc_backup (manifest text not null)')
  connection.run('insert into svc_backup (manifest) values (?)', [JSON.stringify(manifest)])
}

/** The manifest of a backup; undefined when the file has none, null where it is damaged. */
export function readManifest(connection: Connection): BackupManifest | null | undefined {
  if (!connection.query("select 1 from sqlite_master where name = 'svc_backup'").get()) return undefined
  const row = connection.query('select manifest from svc_backup').get() as { manifest: string } | null
  if (row === null) return undefined
  try {
    const manifest = JSON.parse(row.manifest) as BackupManifest
    const isWhole = typeof manifest.format === 'number' && typeof manifest.digest === 'string'
    return isWhole && Object(manifest.rows) === manifest.rows ? manifest : null
  } catch {
    return null
  }
}
