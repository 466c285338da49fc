/** Finds whether a connection pooler such as PgBouncer is between svc and Postgres. */
import postgres from 'postgres'
import { describeServer, translatePostgresFailure } from './failures.ts'

/** How svc speaks to Postgres. */
export interface PostgresWay {
  /** Whether a pooler answers, which knows few startup parameters. */
  readonly isPooled: boolean
  /**
   * Whether statements are prepared under a name. A pooler in transaction mode gives each transaction another session,
   * which does not know the names of the one before.
   */
  readonly isPrepared: boolean
}

export const direct: PostgresWay = { isPooled: false, isPrepared: true }

/** `auto`: statements are prepared unless a pooler answers. */
export type PrepareMode = 'auto' | 'true' | 'false'

export interface PostgresConnections {
  readonly prepare: PrepareMode
  /** Connections of one process, at most. */
  readonly poolSize: number
  readonly connectTimeoutMs: number
}

export const defaultConnections: PostgresConnections = { prepare: 'auto', poolSize: 10, connectTimeoutMs: 10_000 }

/**
 * Asks who answers at an address of Postgres. A session names its process when it begins (BackendKeyData, in the chapter on
 * the message flow of the manual of Postgres); where the process that runs a statement has another number, a pooler is
 * in between, whatever its make.
 * @throws SvcError `database-unavailable`
 */
export async function findWay(
  url: string,
  { prepare, connectTimeoutMs }: PostgresConnections = defaultConnections,
): Promise<PostgresWay> {
  const client = postgres(url, {
    max: 1,
    fetch_types: false,
    connect_timeout: connectTimeoutMs / 1000,
    onnotice: () => {},
    // PgBouncer refuses every other parameter in its default settings.
    connection: { application_name: 'svc' },
  })
  try {
    const answer = await client.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid').simple()
    const { pid } = (answer as unknown as { readonly state: { readonly pid: number } }).state
    const isPooled = pid !== Number(answer[0]?.pid)
    return { isPooled, isPrepared: prepare === 'auto' ? !isPooled : prepare === 'true' }
  } catch (error) {
    throw translatePostgresFailure(error, describeServer(url))
  } finally {
    await client.end({ timeout: 5 })
  }
}
