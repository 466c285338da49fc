import { sql } from 'drizzle-orm'
import type { Reader } from '../../db/database.ts'
import { primitives, tenants } from '../../db/tables.gen.ts'

const longest = 300

/**
 * What a database says about a failure, without what only its operator may know: addresses, hosts, users, names of databases
 * and paths.
 */
export function plainReason(error: unknown): string {
  const text = error instanceof Error ? error.message : 'unknown error'
  return text
    .replaceAll(/[a-z][a-z0-9+.-]*:\/\/\S+/gi, '…')
    .replaceAll(/\b(user|role|database|host|password|server) ("[^"]*"|'[^']*')/gi, '$1 …')
    .replaceAll(/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT) \S+/g, '$1')
    .replaceAll(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[?[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]+\]?(?::\d+)?/gi, '…')
    .replaceAll(/(?:\/[\w.-]+){2,}/g, '…')
    .slice(0, longest)
}

const failureOf = async (work: PromiseLike<unknown>): Promise<{ readonly reason: string } | null> => {
  try {
    await work
    return null
  } catch (error) {
    return { reason: plainReason(error) }
  }
}

/** Whether the registry can be read: an answer in every case. */
export async function registryHealth(read: Reader) {
  const one = { one: sql<number>`1` }
  const registry = await failureOf(read.select(one).from(primitives).limit(1))
  if (registry === null)
    return { status: 'healthy' as const, database: 'connected' as const, table_exists: true, error: null }
  const database = await failureOf(read.select(one).from(tenants).limit(1))
  const connected = database === null || /no such table|does not exist/i.test(database.reason)
  return {
    status: 'unhealthy' as const,
    database: connected ? ('connected' as const) : ('disconnected' as const),
    table_exists: false,
    error: registry.reason,
  }
}
