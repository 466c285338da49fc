import { describeServer, translatePostgresFailure } from './failures.ts'
import { type Applied, digest, insertSql, listSql, planMigrations } from './migration-plan.ts'
import { type Migration, migrations } from './migrations.gen.ts'
import type { PostgresWay } from './pooler.ts'
import { connectPostgres } from './postgres.ts'

/** Any number: it only has to be the same in every svc. */
const migrationLock = 5_717_236

/**
 * Migrates a Postgres database. Answers the ids applied now.
 * @throws SvcError `database-newer`, `database-unavailable`
 */
export async function migratePostgres(
  url: string,
  all: readonly Migration[] = migrations.postgres,
  way?: PostgresWay,
): Promise<string[]> {
  const client = connectPostgres(url, { poolSize: 1, ...(way === undefined ? {} : { way }) })
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
