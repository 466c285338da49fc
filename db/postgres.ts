/** Postgres: a pool of connections, real transactions, repeated where Postgres asks for it. */
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import type { Database, Transaction, TransactionOptions } from './database.ts'
import { describeServer, endsConnection, isRepeatable, translatePostgresFailure } from './failures.ts'
import { defaultConnections, direct, type PostgresConnections, type PostgresWay } from './pooler.ts'
import { buildQueries, type Execute, executeSql } from './portable.ts'
import { assertAlive, currentTransaction, type Life, newLife, pause, Queue, runAsCurrent } from './transaction.ts'

const maxRepeats = 6

/** How long what runs on a retired pool may take. */
const retireSeconds = 60

/** A transaction whose process hangs gives its locks back after this time. */
const idleTransactionMs = 120_000

// timestamptz, json, jsonb: the columns in columns.ts encode and decode these themselves.
const undecoded = [1184, 114, 3802]
const identity = (value: unknown) => value

/** The password in an address of Postgres; undefined without one. */
function passwordOf(url: string): string | undefined {
  const [, inAuthority] = /^\w+:\/\/[^:@/?]*:([^/?]*)@/.exec(url) ?? []
  if (inAuthority !== undefined) return decodeURIComponent(inAuthority)
  return new URLSearchParams(url.split('?')[1] ?? '').get('password') ?? undefined
}

export interface PostgresOptions extends PostgresConnections {
  readonly way: PostgresWay
  /** The URL as it is configured when a connection is made: its password is used. */
  readonly currentUrl?: (() => string) | undefined
}

const defaults: PostgresOptions = { ...defaultConnections, way: direct }

// Statements here are short: to compile one takes Postgres longer than to run it.
const withoutJit = { jit: 'off' } as const

/** A pool of at most `poolSize` connections to a Postgres URL with this project's settings. */
export function connectPostgres(url: string, options: Partial<PostgresOptions> = {}): postgres.Sql {
  const { poolSize, connectTimeoutMs, way, currentUrl } = { ...defaults, ...options }
  const hasPassword = currentUrl !== undefined && passwordOf(url) !== undefined
  const client = postgres(url, {
    max: poolSize,
    ...(hasPassword ? { password: () => passwordOf(currentUrl()) ?? '' } : {}),
    prepare: way.isPrepared,
    fetch_types: false,
    connect_timeout: connectTimeoutMs / 1000,
    idle_timeout: 60,
    onnotice: () => {},
    connection: {
      TimeZone: 'UTC',
      application_name: 'svc',
      // A pooler refuses this one: there each transaction sets it.
      ...(way.isPooled ? {} : { idle_in_transaction_session_timeout: idleTransactionMs, ...withoutJit }),
    },
  })
  for (const oid of undecoded) {
    client.options.parsers[oid] = identity
    client.options.serializers[oid] = identity
  }
  return client
}

/**
 * The driver's pool, replaced as a whole once one of its connections is lost: the driver (3.4) may keep such a connection
 * in a state in which it never sends anything again. What still runs on the old pool ends there.
 */
class Pool {
  readonly server: string
  readonly way: PostgresWay
  client: postgres.Sql
  readonly #connect: () => postgres.Sql
  readonly #retired = new Set<Promise<void>>()
  constructor(url: string, options: PostgresOptions) {
    this.#connect = () => connectPostgres(url, options)
    this.way = options.way
    this.server = describeServer(url)
    this.client = this.#connect()
  }
  /** Takes a pool out of use, unless that happened already. */
  retire(client: postgres.Sql): void {
    if (client !== this.client) return
    this.client = this.#connect()
    const ended = client
      .end({ timeout: retireSeconds })
      .catch(() => {})
      .finally(() => this.#retired.delete(ended))
    this.#retired.add(ended)
  }
  async close(): Promise<void> {
    await this.client.end({ timeout: 5 })
    await Promise.race([Promise.all(this.#retired), pause(1000)])
  }
}

interface Session {
  /** Fails when the transaction cannot continue. */
  readonly check: () => void
  /** Called with the error when the server has ended the connection, or is about to. */
  readonly onLoss: (error: unknown) => void
}

async function runStatement(
  client: postgres.Sql | postgres.TransactionSql,
  isPrepared: boolean,
  [text, params, shape]: Parameters<Execute>,
): Promise<unknown[]> {
  const query = client.unsafe(text, params as never[], { prepare: isPrepared })
  return shape === 'values' ? query.values() : [...(await query)]
}

const executeIn =
  (scope: postgres.TransactionSql, pool: Pool, session: Session): Execute =>
  async (...statement) => {
    session.check()
    try {
      return await runStatement(scope, pool.way.isPrepared, statement)
    } catch (error) {
      const meaning = translatePostgresFailure(error, pool.server)
      if (endsConnection(error)) session.onLoss(meaning)
      throw meaning
    }
  }

const executeOn =
  (pool: Pool): Execute =>
  async (...statement) => {
    const { client } = pool
    try {
      return await runStatement(client, pool.way.isPrepared, statement)
    } catch (error) {
      if (endsConnection(error)) pool.retire(client)
      throw translatePostgresFailure(error, pool.server)
    }
  }

/**
 * The connection of one transaction. Once it is lost, the driver must not be asked for anything more: its own ROLLBACK
 * on a socket that is gone is an exception that no one can catch and ends the process. So what runs inside of the
 * driver then stays unsettled, and `lost` is what the caller hears of.
 */
class Link implements Session {
  readonly lost: Promise<never>
  readonly #reject: (error: unknown) => void
  readonly #life: Life
  #loss: { readonly error: unknown } | undefined
  constructor(life: Life) {
    const { promise, reject } = Promise.withResolvers<never>()
    this.#life = life
    this.lost = promise
    this.#reject = reject
    // Most transactions end without anybody waiting for it.
    promise.catch(() => {})
  }
  readonly check = (): void => {
    if (this.#loss) throw this.#loss.error
    assertAlive(this.#life)
  }
  readonly onLoss = (error: unknown): void => {
    this.#loss ??= { error }
    this.#reject(error)
  }
  get isLost(): boolean {
    return this.#loss !== undefined
  }
  /** The same result, as long as there is a connection to send COMMIT or ROLLBACK on. */
  hold<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      work.then(
        (value) => (this.#loss ? undefined : resolve(value)),
        (error: unknown) => (this.#loss ? undefined : reject(error)),
      )
    })
  }
}

interface Scene {
  readonly database: Database
  readonly pool: Pool
  readonly life: Life
  readonly link: Link
}

function makeTransaction(scene: Scene, scope: postgres.TransactionSql): Transaction {
  const { database, pool, life, link } = scene
  const siblings = new Queue()
  const queries = buildQueries('postgres', executeIn(scope, pool, link))
  return Object.assign(queries, {
    afterCommit: (action: () => void) => void life.afterCommit.push(action),
    lock: async (key: string) => {
      await executeSql(queries, sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
    },
    savepoint: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
      siblings.run(async () => {
        link.check()
        const actions = life.afterCommit.length
        const nested = scope.savepoint((inner) => {
          const tx = makeTransaction(scene, inner)
          return link.hold(runAsCurrent({ database, tx, life }, work))
        }) as Promise<T>
        try {
          return await Promise.race([nested, link.lost])
        } catch (error) {
          life.afterCommit.length = actions
          throw error
        }
      }),
  })
}

async function runTransaction<T>(
  database: Database,
  pool: Pool,
  [life, isolation]: [Life, TransactionOptions['isolation']],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { client, server, way } = pool
  const link = new Link(life)
  const scene: Scene = { database, pool, life, link }
  const whole = client.begin(isolation ? `isolation level ${isolation}` : '', (scope) => {
    // Sent with the first statement. Where it fails, that one fails too.
    if (way.isPooled)
      scope.unsafe(`set local idle_in_transaction_session_timeout = ${idleTransactionMs}`).catch(() => {})
    const tx = makeTransaction(scene, scope)
    return link.hold(runAsCurrent({ database, tx, life }, work))
  }) as Promise<T>
  try {
    return await Promise.race([whole, link.lost])
  } catch (error) {
    const meaning = translatePostgresFailure(error, server)
    if (endsConnection(error)) link.onLoss(meaning)
    if (link.isLost) pool.retire(client)
    throw meaning
  } finally {
    life.alive = false
  }
}

/** Opens a migrated Postgres database; connections are made when they are needed. */
export function openPostgres(url: string, options: Partial<PostgresOptions> = {}): Database {
  const pool = new Pool(url, { ...defaults, ...options })
  const database: Database = {
    dialect: 'postgres',
    readOnly: null,
    objects: null,
    read: buildQueries('postgres', executeOn(pool)),
    async inTransaction(work, options) {
      const outer = currentTransaction(database)
      if (outer) return outer.savepoint(work)
      for (let attempt = 1; ; attempt++) {
        const life = newLife()
        try {
          const result = await runTransaction(database, pool, [life, options?.isolation], work)
          for (const action of life.afterCommit) action()
          return result
        } catch (error) {
          if (attempt >= maxRepeats || !isRepeatable(error)) throw error
          await pause(2 ** attempt * (3 + Math.random() * 5))
        }
      }
    },
    close: () => pool.close(),
  }
  return database
}
