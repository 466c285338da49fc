import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { boolean, pgTable } from 'drizzle-orm/pg-core'
import { text } from '../../db/columns.ts'
import type { Database } from '../../db/database.ts'
import { migratePostgres } from '../../db/migrate-postgres.ts'
import { migrateSqlite } from '../../db/migrate-sqlite.ts'
import { type Migration, migrations } from '../../db/migrations.gen.ts'
import { type DatabaseTarget, openDatabase } from '../../db/open.ts'
import { executeSql } from '../../db/portable.ts'
import { memberships, tenants, users } from '../../db/tables.gen.ts'
import { writeAdditions } from '../../scripts/migrations/ddl.ts'
import { readTable } from '../../scripts/migrations/model.ts'
import { SvcError } from '../../src/errors.ts'
import { onBothEngines } from '../fixtures/engines.ts'

const at = '2026-05-05T00:00:00.000Z'
const tenant = { id: 'counter', slug: 'c', name: 'C', settings: { n: 0 }, createdAt: at, updatedAt: at }
const user = { id: 'u', email: 'u@example.test', name: 'U', status: 'active', createdAt: at, updatedAt: at } as const
const member = { tenantId: 'counter', userId: 'u', role: 'owner', status: 'active', createdAt: at } as const

const migrate = (target: DatabaseTarget, all: readonly Migration[]) =>
  target.kind === 'sqlite' ? migrateSqlite(target.path, all) : migratePostgres(target.url, all)

async function withDatabase<T>(target: DatabaseTarget, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(target)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

const fill = (target: DatabaseTarget) =>
  withDatabase(target, (db) =>
    db.inTransaction(async (tx) => {
      await tx.insert(tenants).values(tenant)
      await tx.insert(users).values(user)
      await tx.insert(memberships).values(member)
    }),
  )

const start = (target: DatabaseTarget, times: number) =>
  Bun.spawn([process.execPath, join(import.meta.dir, 'opener-process.ts'), JSON.stringify(target), String(times)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })

const refusal = async (work: Promise<unknown>): Promise<SvcError> => {
  const error = await work.catch((error: unknown) => error)
  if (!(error instanceof SvcError)) throw new Error(`expected a refusal, got ${String(error)}`)
  return error
}

onBothEngines('migrations', (makeDb) => {
  const all = migrations[makeDb.dialect]

  test('an empty database gets all of them once', async () => {
    const target = await makeDb.makeEmptyTarget()
    expect(await migrate(target, all)).toEqual(all.map(({ id }) => id))
    expect(await migrate(target, all)).toEqual([])
    await fill(target)
  })

  test('a later one changes a database with data and keeps every row', async () => {
    const target = await makeDb.makeTarget()
    await fill(target)
    const before = [readTable(tenants), readTable(users)]
    const note = { name: 'note', type: 'text', notNull: true, default: "'none'" }
    const additions = writeAdditions(
      before,
      before.map((table) => (table.name === 'tenants' ? { ...table, columns: [...table.columns, note] } : table)),
      makeDb.dialect,
    )
    const next = { id: '9000_note', sql: additions.map((statement) => `${statement};\n`).join('') }
    expect(await migrate(target, [...all, next])).toEqual(['9000_note'])
    expect(await migrate(target, [...all, next])).toEqual([])
    // Only the test knows the new column, so this program must refuse it from now on.
    expect(await refusal(openDatabase(target))).toMatchObject({
      code: 'database-newer',
      detail: { migration: '9000_note' },
    })
    const probe = pgTable('tenants', { id: text('id'), note: text('note') })
    await migrate(target, [...all, next])
    const db = await makeDb.open(target)
    expect(await db.read.select().from(probe)).toEqual([{ id: 'counter', note: 'none' }])
    expect(await db.read.select().from(memberships)).toEqual([{ ...member, managed: false }])
  })

  test('one that fails leaves the database as it was', async () => {
    const target = await makeDb.makeTarget()
    await fill(target)
    const broken = { id: '9000_broken', sql: 'drop table memberships; create table half (id text); select nonsense;' }
    expect(await migrate(target, [...all, broken]).catch(() => 'failed')).toBe('failed')
    await withDatabase(target, async (db) => {
      expect(await db.read.select().from(memberships)).toEqual([{ ...member, managed: false }])
      expect(await executeSql(db.read, sql`select * from half`).catch(() => 'no such table')).toBe('no such table')
    })
  })

  test('a migration that is not the applied one is refused', async () => {
    const target = await makeDb.makeTarget()
    const changed = all.map((migration) => ({ ...migration, sql: `${migration.sql} ` }))
    expect((await refusal(migrate(target, changed))).code).toBe('database-unavailable')
  })

  test('processes that open an empty database together migrate it once', async () => {
    const target = await makeDb.makeEmptyTarget()
    const outputs = await Promise.all([1, 2, 3].map(() => new Response(start(target, 0).stdout).text()))
    expect(outputs.map((text) => text.trim()).toSorted()).toEqual(['0', '0', String(all.length)])
  })

  test('two processes and this one write the same database and lose nothing', async () => {
    const target = await makeDb.makeTarget()
    await fill(target)
    const others = [start(target, 60), start(target, 60)]
    await withDatabase(target, async (db) => {
      for (let n = 0; n < 60; n++)
        await db.inTransaction(async (tx) => {
          await tx.lock('counter')
          const [row] = await tx.select().from(tenants)
          await tx.update(tenants).set({ settings: { n: Number(row?.settings.n) + 1 } })
        })
      expect(await Promise.all(others.map(({ exited }) => exited))).toEqual([0, 0])
      expect(await db.read.select({ settings: tenants.settings }).from(tenants)).toEqual([{ settings: { n: 180 } }])
    })
  })
})

test('a column that is none of the portable ones cannot be generated', () => {
  const table = pgTable('odd', { id: boolean('id').primaryKey(), at: text('at').array() })
  expect(() => writeAdditions([], [readTable(table)], 'sqlite')).toThrow('odd.at: the type text[]')
})
