/** Looks at a database without changing it: for people who ask what is wrong. */
import { Database as Connection } from 'bun:sqlite'
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { SvcError } from '../src/errors.ts'
import { describeFileFailure, describeServer, translatePostgresFailure, translateSqliteFailure } from './failures.ts'
import { migrations } from './migrations.gen.ts'
import type { DatabaseTarget } from './open.ts'

export interface DatabaseReport {
  /** The file, or the address of the server without credentials. */
  readonly place: string
  /** "SQLite 3.54.0", "PostgreSQL 18.4" */
  readonly engine: string
  /** Nothing is there yet: the first use makes it. */
  readonly isNew: boolean
  readonly sizeBytes: number
  /** Free space of the disk; null where only the server knows. */
  readonly freeBytes: number | null
  /** Migrations that the database has, that it lacks, and that only a newer svc knows. */
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  readonly unknown: readonly string[]
  /** Damage that SQLite's quick check found; at most ten lines. */
  readonly damage: readonly string[]
}

function compareMigrations(target: DatabaseTarget, applied: readonly string[]) {
  const known = migrations[target.kind].map(({ id }) => id)
  return {
    applied,
    pending: known.filter((id) => !applied.includes(id)),
    unknown: applied.filter((id) => !known.includes(id)),
  }
}

/** The nearest folder that exists: where a missing one would be made. */
function existingFolder(path: string): string {
  return existsSync(path) && statSync(path).isDirectory() ? path : existingFolder(dirname(path))
}

function freeBytesAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

function inspectSqlite(target: DatabaseTarget & { kind: 'sqlite' }): DatabaseReport {
  const { path } = target
  const folder = existingFolder(dirname(path))
  try {
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const reason = describeFileFailure(error)
    throw reason ? new SvcError('workspace-unusable', { path: folder, reason }) : error
  }
  const isNew = !existsSync(path)
  let connection: Connection | undefined
  try {
    connection = isNew ? new Connection(':memory:') : new Connection(path, { readwrite: true, create: false })
    connection.run('PRAGMA busy_timeout = 2000; PRAGMA query_only = ON')
    const version = connection.query('select sqlite_version()').values()[0]?.[0]
    const hasList = connection.query("select 1 from sqlite_master where name = 'svc_migrations'").get() !== null
    const applied = hasList ? connection.query('select id from svc_migrations order by id').values() : []
    const lines = connection.query('PRAGMA quick_check(10)').values()
    return {
      place: path,
      engine: `SQLite ${String(version)}`,
      isNew,
      sizeBytes: isNew ? 0 : statSync(path).size,
      freeBytes: freeBytesAt(folder),
      ...compareMigrations(
        target,
        applied.map(([id]) => String(id)),
      ),
      damage: lines.map(([line]) => String(line)).filter((line) => line !== 'ok'),
    }
  } catch (error) {
    throw translateSqliteFailure(error, path)
  } finally {
    connection?.close()
  }
}

async function inspectPostgres(target: DatabaseTarget & { kind: 'postgres' }): Promise<DatabaseReport> {
  const [{ connectPostgres }, { findWay }] = await Promise.all([import('./postgres.ts'), import('./pooler.ts')])
  const way = await findWay(target.url, target.connections)
  const client = connectPostgres(target.url, { poolSize: 1, way })
  try {
    const [facts] = await client`select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database())::float8 as size, to_regclass('svc_migrations') is not null as is_ours`
    const applied = facts?.is_ours ? await client`select id from svc_migrations order by id` : []
    return {
      place: describeServer(target.url),
      engine: `PostgreSQL ${String(facts?.version)}${way.isPooled ? ', through a connection pooler' : ''}`,
      isNew: !facts?.is_ours,
      sizeBytes: Number(facts?.size),
      freeBytes: null,
      ...compareMigrations(
        target,
        applied.map(({ id }) => String(id)),
      ),
      damage: [],
    }
  } catch (error) {
    throw translatePostgresFailure(error, describeServer(target.url))
  } finally {
    await client.end({ timeout: 5 })
  }
}

/**
 * Reports what is at a target, without making, migrating or changing anything.
 * @throws SvcError `workspace-unusable`, `database-unavailable`
 */
export async function inspectDatabase(target: DatabaseTarget): Promise<DatabaseReport> {
  return target.kind === 'sqlite' ? inspectSqlite(target) : inspectPostgres(target)
}
