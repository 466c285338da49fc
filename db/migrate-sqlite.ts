import { Database as Connection } from 'bun:sqlite'
import { closeSync, existsSync, openSync } from 'node:fs'
import { translateSqliteFailure } from './failures.ts'
import { type Applied, digest, insertSql, listSql, planMigrations } from './migration-plan.ts'
import { type Migration, migrations } from './migrations.gen.ts'
import { retryWhileBusy } from './sqlite.ts'

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
    // Documents and digests of keys are for the owner alone, also in a folder that others may read. The side files of
    // SQLite take the mode of the file.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    const opened = new Connection(path, { readwrite: true, create: true })
    connection = opened
    // Others may be at the same: the switch to WAL and the recovery of a log answer "busy" without waiting.
    await retryWhileBusy(() => opened.run('PRAGMA journal_mode = WAL'))
    const applied = await retryWhileBusy(() => readAppliedSqlite(opened))
    if (planMigrations(all, applied).length === 0) return []
    // Rebuilding a table would delete its children; this switch has no effect inside of a transaction.
    opened.run('PRAGMA foreign_keys = OFF')
    await retryWhileBusy(() => opened.run('BEGIN IMMEDIATE'))
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
