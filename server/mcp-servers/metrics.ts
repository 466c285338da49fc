import { count } from 'drizzle-orm'
import type { Reader } from '../../db/database.ts'
import { mcpEndpoints } from '../../db/tables.gen.ts'
import type { Metrics } from '../operations/door.ts'

/** How many servers of all catalogues are in which state. */
export async function countServerStates(read: Reader): Promise<ReadonlyMap<string, number>> {
  const rows = await read
    .select({ state: mcpEndpoints.state, n: count() })
    .from(mcpEndpoints)
    .groupBy(mcpEndpoints.state)
  return new Map(rows.map(({ state, n }) => [state, n]))
}

/** Shows these numbers in the metrics. */
export const showServers = (metrics: Metrics, read: () => Promise<ReadonlyMap<string, number>>): void =>
  metrics.gauge('svc_mcp_servers', 'MCP servers of all catalogues.', 'state', read)
