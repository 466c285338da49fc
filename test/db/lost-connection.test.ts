import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../db/database.ts'
import { executeSql } from '../../db/portable.ts'
import { openPostgres } from '../../db/postgres.ts'
import { SvcError } from '../../src/errors.ts'
import { sharedPostgres } from '../fixtures/postgres.ts'

let db: Database
let other: Database
beforeAll(async () => {
  const url = `${await sharedPostgres()}/postgres`
  ;[db, other] = [openPostgres(url), openPostgres(url)]
}, 60_000)
afterAll(async () => {
  await db.close()
  await other.close()
})

const one = sql`select pg_backend_pid() as pid`
async function cut(tx: Transaction): Promise<void> {
  const [row] = await executeSql(tx, one)
  await executeSql(other.read, sql`select pg_terminate_backend(${Number(row?.pid)})`)
}
const fail = () => Promise.reject(new Error('of its own'))

const ways: Record<string, (tx: Transaction) => Promise<unknown>> = {
  'before its next statement': async (tx) => {
    await cut(tx)
    await executeSql(tx, one)
  },
  'long before its next statement': async (tx) => {
    await cut(tx)
    await Bun.sleep(15)
    await executeSql(tx, one)
  },
  'during a statement': async (tx) => {
    const [row] = await executeSql(tx, one)
    const pid = Number(row?.pid)
    const slow = executeSql(tx, sql`select pg_sleep(4)`).catch((error: unknown) => error)
    const asleep = sql`select 1 from pg_stat_activity where pid = ${pid} and wait_event = 'PgSleep'`
    while ((await executeSql(other.read, asleep)).length === 0) await Bun.sleep(1)
    await executeSql(other.read, sql`select pg_terminate_backend(${pid})`)
    throw await slow
  },
  'and it fails for another reason later': async (tx) => {
    await cut(tx)
    await Bun.sleep(15)
    await fail()
  },
  'and it ends as if nothing had happened': async (tx) => {
    await cut(tx)
    await executeSql(tx, one).catch(() => {})
    await Bun.sleep(15)
  },
  'inside of a savepoint': (tx) =>
    tx.savepoint(async (inner) => {
      await cut(inner)
      await Bun.sleep(15)
      await executeSql(inner, one)
    }),
  'inside of a savepoint whose failure it swallows': async (tx) => {
    await tx.savepoint((inner) => cut(inner).then(() => executeSql(inner, one))).catch(() => {})
    await tx.savepoint((inner) => executeSql(inner, one)).catch(() => {})
  },
}

for (const [way, work] of Object.entries(ways))
  test(`a transaction that loses its connection ${way} is refused, and the process and the pool go on`, async () => {
    for (let round = 0; round < 8; round++) {
      const error = await db.inTransaction(work).catch((error: unknown) => error)
      expect(error).toBeInstanceOf(SvcError)
      expect((error as SvcError).code).toBe('database-unavailable')
    }
    const after = await Promise.all(Array.from({ length: 30 }, () => db.inTransaction((tx) => executeSql(tx, one))))
    expect(after.flat()).toHaveLength(30)
  })
