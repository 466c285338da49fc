/** Which migrations a database still needs, and what both engines share in applying them. */
import { SvcError } from '../src/errors.ts'
import type { Migration } from './migrations.gen.ts'

export interface Applied {
  readonly id: string
  readonly sha256: string
}

export const digest = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('hex')

/** The migrations still to apply; refuses a database that has others than this program. */
export function planMigrations(all: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const known = new Map(all.map((migration) => [migration.id, migration]))
  for (const { id, sha256 } of applied) {
    const migration = known.get(id)
    if (!migration) throw new SvcError('database-newer', { migration: id })
    if (digest(migration.sql) !== sha256)
      throw new SvcError('database-unavailable', {
        reason: `its migration ${id} differs from that of this svc: it was created by another build; use that build, or a new database`,
      })
  }
  const done = new Set(applied.map(({ id }) => id))
  return all.filter(({ id }) => !done.has(id))
}

export const listSql = 'select id, sha256 from svc_migrations order by id'
export const insertSql = (values: string) => `insert into svc_migrations (id, sha256, applied_at) values ${values}`
