/** Postgres: a pool of connections, real transactions, repeated where Postgres asks for it. */
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import type { Database, Transaction } from './database.ts'
import { describeServer, isRepeatable, translatePostgresFailure } from './failures.ts'
import { buildQueries, type Execute, executeSql } from './portable.ts'
import { assertAlive, currentTransaction, type Life, newLife, pause, Queue, runAsCurrent } from './transaction.ts'

const maxRepeats = 6

// timestamptz, json, jsonb: the columns in columns.ts encode and decode these themselves.
const undecoded = [1184, 114, 3802]
const identity = (value: unknown) => value

/** A pool for a Postgres URL with this project's settings. */
export function connectPostgres(url: string, max: number): postgres.Sql {
  const client = postgres(url, {
    max,
    fetch_types: false,
    connect_timeout: 10,
    idle_timeout: 60,
    onnotice: () => {},
    // A transaction whose process hangs gives its locks back after two minutes.
    connection: { TimeZone: 'UTC', application_name: 'svc', idle_in_transaction_session_timeout: 120_000 },
  })
  for (const oid of undecoded) {
    client.options.parsers[oid] = identity
    client.options.serializers[oid] = identity
  }
  return client
}

function executor(client: postgres.Sql | postgres.TransactionSql, server: string, check: () => void): Execute {
  return async (text, params, shape) => {
    check()
    try {
      const query = client.unsafe(text, params as never[], { prepare: true })
      return shape === 'values' ? await query.values() : [...(await query)]
    } catch (error) {
      throw translatePostgresFailure(error, server)
    }
  }
}

interface Pool {
  readonly client: postgres.Sql
  readonly server: string
  readonly database: Database
}

function makeTransaction(pool: Pool, scope: postgres.TransactionSql, life: Life): Transaction {
  const { database, server } = pool
  const siblings = new Queue()
  const queries = buildQueries(
    'postgres',
    executor(scope, server, () => assertAlive(life)),
  )
  return Object.assign(queries, {
    afterCommit: (action: () => void) => void life.afterCommit.push(action),
    lock: async (key: string) => {
      await executeSql(queries, sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
    },
    savepoint: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
      siblings.run(async () => {
        assertAlive(life)
        const actions = life.afterCommit.length
        try {
          return (await scope.savepoint((inner) =>
            runAsCurrent({ database, tx: makeTransaction(pool, inner, life), life }, work),
          )) as T
        } catch (error) {
          life.afterCommit.length = actions
          throw error
        }
      }),
  })
}

async function runTransaction<T>(pool: Pool, life: Life, options: string, work: (tx: Transaction) => Promise<T>) {
  const { client, database, server } = pool
  try {
    return (await client.begin(options, (scope) =>
      runAsCurrent({ database, tx: makeTransaction(pool, scope, life), life }, work),
    )) as T
  } catch (error) {
    throw translatePostgresFailure(error, server)
  } finally {
    life.alive = false
  }
}

/** Opens a migrated Postgres database; connections are made when they are needed. */
export function openPostgres(url: string): Database {
  const client = connectPostgres(url, 10)
  const server = describeServer(url)
  const database: Database = {
    dialect: 'postgres',
    read: buildQueries(
      'postgres',
      executor(client, server, () => {}),
    ),
    async inTransaction(work, options) {
      const outer = currentTransaction(database)
      if (outer) return outer.savepoint(work)
      for (let attempt = 1; ; attempt++) {
        const life = newLife()
        try {
          const isolation = options?.isolation ? `isolation level ${options.isolation}` : ''
          const result = await runTransaction(pool, life, isolation, work)
          for (const action of life.afterCommit) action()
          return result
        } catch (error) {
          if (attempt >= maxRepeats || !isRepeatable(error)) throw error
          await pause(2 ** attempt * (3 + Math.random() * 5))
        }
      }
    },
    async close() {
      await client.end({ timeout: 5 })
    },
  }
  const pool: Pool = { client, server, database }
  return database
}
