/** Postgres behind a connection pooler in transaction mode: found by itself, and every acknowledged write is there. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import type { Database } from '../../db/database.ts'
import { inspectDatabase } from '../../db/inspect.ts'
import { openDatabase } from '../../db/open.ts'
import { defaultConnections, findWay } from '../../db/pooler.ts'
import { executeSql } from '../../db/portable.ts'
import { openPostgres } from '../../db/postgres.ts'
import { type Pooler, startPooler } from '../fixtures/pooler.ts'
import { sharedPostgres } from '../fixtures/postgres.ts'

const name = `t_pooler_${crypto.randomUUID().replaceAll('-', '')}`
let admin: postgres.Sql
let directly: string
let pooler: Pooler
beforeAll(async () => {
  admin = postgres(`${await sharedPostgres()}/postgres`, { max: 1, fetch_types: false, onnotice: () => {} })
  await admin.unsafe(`create database ${name} template template0`)
  directly = `${await sharedPostgres()}/${name}`
  pooler = await startPooler(directly, 3)
}, 60_000)
afterAll(async () => {
  await pooler.close()
  await admin.unsafe(`drop database ${name} with (force)`)
  await admin.end()
})

/** Writers side by side, each a row in a transaction that also reads; answers what was acknowledged and what failed. */
async function write(db: Database, table: string) {
  const into = sql.identifier(table)
  await executeSql(db.read, sql`create table ${into} (writer int not null, at int not null)`)
  const acknowledged: string[] = []
  const failures: unknown[] = []
  const writer = async (id: number): Promise<void> => {
    for (let at = 0; at < 8; at++)
      try {
        await db.inTransaction(async (tx) => {
          await executeSql(tx, sql`insert into ${into} values (${id}, ${at})`)
          const [row] = await executeSql(tx, sql`select count(*)::int as n from ${into} where writer = ${id}`)
          if (row?.['n'] !== at + 1) throw new Error(`writer ${id} sees ${String(row?.['n'])} of its ${at + 1} rows`)
        })
        acknowledged.push(`${id} ${at}`)
        await executeSql(db.read, sql`select at from ${into} where writer = ${id} and at <= ${at}`)
      } catch (error) {
        failures.push(error)
      }
  }
  await Promise.all([1, 2, 3, 4, 5].map(writer))
  const client = postgres(directly, { max: 1, fetch_types: false })
  const rows = await client.unsafe(`select writer, at from ${table}`)
  await client.end()
  return {
    acknowledged: acknowledged.toSorted(),
    failures,
    stored: rows.map((it) => `${it.writer} ${it.at}`).toSorted(),
  }
}

test('who answers is found by itself, and a setting decides about prepared statements', async () => {
  expect([await findWay(directly), await findWay(pooler.url)]).toEqual([
    { isPooled: false, isPrepared: true },
    { isPooled: true, isPrepared: false },
  ])
  const ways = (['true', 'false'] as const).map((prepare) => ({ ...defaultConnections, prepare }))
  expect(await Promise.all(ways.map((it) => findWay(pooler.url, it)))).toEqual([
    { isPooled: true, isPrepared: true },
    { isPooled: true, isPrepared: false },
  ])
  expect(await findWay(directly, { ...defaultConnections, prepare: 'false' })).toEqual({
    isPooled: false,
    isPrepared: false,
  })
})

test('through a pooler a database is migrated and written, and nothing that was acknowledged is lost', async () => {
  const target = { kind: 'postgres', url: pooler.url } as const
  const before = pooler.transactions()
  const db = await openDatabase(target)
  const { acknowledged, failures, stored } = await write(db, 'by_pooler')
  const [idle] = await db.inTransaction((tx) => executeSql(tx, sql`show idle_in_transaction_session_timeout`))
  await db.close()
  expect(failures).toEqual([])
  expect(acknowledged).toHaveLength(40)
  expect(stored).toEqual(acknowledged)
  expect(idle).toEqual({ idle_in_transaction_session_timeout: '2min' })
  expect(pooler.transactions() - before).toBeGreaterThan(80)
  const engines = [await inspectDatabase(target), await inspectDatabase({ kind: 'postgres', url: directly })]
  expect(engines.map(({ engine }) => engine.replace(/[\d.]+/, 'N'))).toEqual([
    'PostgreSQL N, through a connection pooler',
    'PostgreSQL N',
  ])
})

test('what was not told of the pooler fails: the parameter that it does not know, the statement that another session prepared', async () => {
  const plain = openPostgres(pooler.url)
  const refusal = await executeSql(plain.read, sql`select 1`).catch((error: unknown) => error)
  await plain.close()
  expect(String(refusal)).toContain('unsupported startup parameter: idle_in_transaction_session_timeout')
  const prepared = openPostgres(pooler.url, { way: { isPooled: true, isPrepared: true } })
  const { failures } = await write(prepared, 'by_prepared')
  await prepared.close()
  expect(failures.length).toBeGreaterThan(0)
})
