/** Brings a database to the newest migration of this program, under a lock, in one transaction. */
import { Database as Connection } from 'bun:sqlite'
import { SvcError } from '../src/errors.ts'
import { translatePostgresFailure, translateSqliteFailure } from './failures.ts'
import { type Migration, migrations } from './migrations.gen.ts'
import { connectPostgres, describeServer } from './postgres.ts'
import { beginImmediate } from './sqlite.ts'

interface Applied {
  readonly id: string
  readonly sha256: string
}

const digest = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('hex')

/** The migrations still to apply; refuses a database that has others than this program. */
function planMigrations(all: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const known = new Map(all.map((migration) => [migration.id, migration]))
  for (const { id, sha256 } of applied) {
    const migration = known.get(id)
    if (!migration) throw new SvcError('database-newer', { migration: id })
    if (digest(migration.sql) !== sha256)
      throw new SvcError('database-unavailable', {
        reason: `its migration ${id} differs from the one of this svc, so another build made it; use that build, or a new database`,
      })
  }
  const done = new Set(applied.map(({ id }) => id))
  return all.filter(({ id }) => !done.has(id))
}

const listSql = 'select id, sha256 from svc_migrations order by id'
const insertSql = (values: string) => `insert into svc_migrations (id, sha256, applied_at) values ${values}`

function readAppliedSqlite(connection: Connection): Applied[] {
  const exists = connection.query("select 1 from sqlite_master where name = 'svc_migrations'").get()
  return exists ? (connection.query(listSql).all() as Applied[]) : []
}

function applySqlite(connection: Connection, all: readonly Migration[]): string[] {
  connection.run(
    'create table if not exists svc_migrations (id text primary key, sha256 text not null, applied_at text not null)',
  )
  const todo = planMigrations(all, readAppliedSqlite(connection))
  for (const migration of todo) {
    connection.run(migration.sql)
    connection.run(insertSql('(?, ?, ?)'), [migration.id, digest(migration.sql), new Date().toISOString()])
  }
  const broken = connection.query('PRAGMA foreign_key_check').all()
  if (broken.length > 0) throw new Error(`A migration left ${broken.length} rows that point to nothing.`)
  return todo.map(({ id }) => id)
}

/**
 * Migrates a SQLite file, making it when it does not exist. Answers the ids applied now.
 * @throws SvcError `database-newer`, `workspace-unusable`, `database-unavailable`
 */
export async function migrateSqlite(path: string, all: readonly Migration[] = migrations.sqlite): Promise<string[]> {
  let connection: Connection | undefined
  try {
    connection = new Connection(path, { readwrite: true, create: true })
    connection.run('PRAGMA busy_timeout = 5000')
    connection.run('PRAGMA journal_mode = WAL')
    if (planMigrations(all, readAppliedSqlite(connection)).length === 0) return []
    // Rebuilding a table would delete its children; this switch has no effect inside of a transaction.
    connection.run('PRAGMA foreign_keys = OFF; PRAGMA busy_timeout = 0')
    await beginImmediate(connection)
    try {
      const applied = applySqlite(connection, all)
      connection.run('COMMIT')
      return applied
    } catch (error) {
      if (connection.inTransaction) connection.run('ROLLBACK')
      throw error
    }
  } catch (error) {
    throw translateSqliteFailure(error, path)
  } finally {
    connection?.close()
  }
}

/** Any number: it only has to be the same in every svc. */
const migrationLock = 5_717_236

/**
 * Migrates a Postgres database. Answers the ids applied now.
 * @throws SvcError `database-newer`, `database-unavailable`
 */
export async function migratePostgres(url: string, all: readonly Migration[] = migrations.postgres): Promise<string[]> {
  const client = connectPostgres(url, 1)
  try {
    return await client.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${migrationLock})`
      await tx.unsafe(
        'create table if not exists svc_migrations (id text primary key, sha256 text not null, applied_at timestamptz(3) not null)',
      )
      const todo = planMigrations(all, await tx.unsafe<Applied[]>(listSql))
      for (const migration of todo) {
        await tx.unsafe(migration.sql)
        await tx.unsafe(insertSql('($1, $2, $3)'), [migration.id, digest(migration.sql), new Date().toISOString()])
      }
      return todo.map(({ id }) => id)
    })
  } catch (error) {
    throw translatePostgresFailure(error, describeServer(url))
  } finally {
    await client.end({ timeout: 5 })
  }
}
