import { and, eq, isNull, type SQL } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { mcpEndpoints } from '../../db/tables.gen.ts'
import { stateOf } from '../../src/mcp-catalogue/state.ts'
import type { Provenance } from '../../src/mcp-catalogue/types.ts'
import type { Deps } from '../kit/door.ts'
import { declaredOf, findEndpoint, observedOf, surfaceMatchOf, type EndpointRow } from './record.ts'

/** What follows from the other columns of an endpoint. */
export function derived(row: EndpointRow): Pick<EndpointRow, 'state' | 'surfaceMatch'> {
  const { approvedFingerprint: approved, observedFingerprint: observed, failureClass, conflicts } = row
  const failed = failureClass === 'auth-required' ? ('auth-required' as const) : ('unreachable' as const)
  const lastFailure = failureClass === null ? null : failed
  return { state: stateOf({ approved, observed, lastFailure, conflicts }), surfaceMatch: surfaceMatchOf(row) }
}

/**
 * What is declared and what is observed of an endpoint, side by side.
 * @throws SvcError `analysis-stopped`
 */
export async function provenanceOf(deps: Deps, row: EndpointRow): Promise<Provenance & { readonly conflicts: number }> {
  const declared = await declaredOf(deps.db, row)
  const seen = row.observedDigest === null ? null : await observedOf(deps.db, row.tenantId, row.observedDigest)
  const observed =
    seen === null
      ? null
      : {
          identity: seen.identity,
          transport: row.transport,
          address: row.address,
          surface: seen.surface,
          fingerprint: seen.fingerprint,
          at: row.observedAt ?? row.updatedAt,
        }
  return deps.analysis.run(row.tenantId, 'mcp-facts', { declared, observed })
}

/** How often it is compared again, because it changed while it was compared. */
const attempts = 3

const sameOrNull = (column: Parameters<typeof eq>[0], value: string | null): SQL =>
  value === null ? isNull(column) : eq(column, value)

/**
 * Compares what is declared with what is observed, and writes what follows. Called after each change of either.
 * @throws SvcError `mcp-endpoint-not-found`, `analysis-stopped`
 */
export async function settle(deps: Deps, tenantId: string, id: string): Promise<EndpointRow> {
  for (let n = 0; ; n++) {
    const row = await findEndpoint(deps.db.read, tenantId, id)
    const isBoth = row.manifestId !== null && row.observedDigest !== null
    const conflicts = isBoth ? (await provenanceOf(deps, row)).conflicts : 0
    const set = { conflicts, ...derived({ ...row, conflicts }) }
    const isCompared = and(
      eq(mcpEndpoints.id, id),
      sameOrNull(mcpEndpoints.manifestId, row.manifestId),
      sameOrNull(mcpEndpoints.observedDigest, row.observedDigest),
      sameOrNull(mcpEndpoints.approvedFingerprint, row.approvedFingerprint),
      sameOrNull(mcpEndpoints.failureClass, row.failureClass),
    )
    const [next] = await deps.db.inTransaction((tx) =>
      tx
        .update(mcpEndpoints)
        .set(set)
        .where(inTenant(mcpEndpoints, tenantId, isCompared))
        .returning(),
    )
    if (next !== undefined) return next
    if (n === attempts) return findEndpoint(deps.db.read, tenantId, id)
  }
}
