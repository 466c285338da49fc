/** What a gateway does with its own key. */
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { gatewayEnforcers } from '../../db/tables.gen.ts'
import { enforcerSelfApi } from '../../src/api/gateway-enforcers.ts'
import type { Input } from '../../src/api/endpoint.ts'
import { SvcError } from '../../src/errors.ts'
import type { Grant } from '../auth/grant.ts'
import type { Deps } from '../deps.ts'
import type { EnforcerRow } from './enforcers.ts'

/**
 * The gateway whose key a caller shows.
 * @throws SvcError `scope-denied` for other callers, `enforcer-not-found` where it was removed meanwhile
 */
export async function selfOf(read: Reader, { principal }: Grant): Promise<EnforcerRow> {
  if (principal?.kind !== 'gateway-key') throw new SvcError('scope-denied', { scopes: [principal?.kind ?? 'none'] })
  const { keyId, tenantId } = principal
  const [row] = await read
    .select()
    .from(gatewayEnforcers)
    .where(inTenant(gatewayEnforcers, tenantId, eq(gatewayEnforcers.id, keyId)))
  if (row === undefined) throw new SvcError('enforcer-not-found', { enforcer: keyId })
  return row
}

/**
 * Stores what a gateway reports.
 * @throws SvcError `enforcer-not-found`
 */
export async function reportStatus(
  deps: Deps,
  grant: Grant,
  body: Input<typeof enforcerSelfApi.status>['body'],
): Promise<Record<string, never>> {
  const { releaseId, state, error = null, engine, capabilities } = body
  const at = deps.clock.iso()
  await deps.db.inTransaction(async (tx) => {
    const row = await selfOf(tx, grant)
    const isActive = state === 'active'
    await tx
      .update(gatewayEnforcers)
      .set({
        reportedState: state,
        reportedAt: at,
        lastSeenAt: at,
        silentAt: null,
        // What failed leaves the earlier release in place; after a start nothing is confirmed.
        activeReleaseId: isActive ? releaseId : state === 'failed' ? row.activeReleaseId : null,
        failedReleaseId: isActive ? null : state === 'failed' ? releaseId : row.failedReleaseId,
        lastError: isActive ? null : (error ?? row.lastError),
        engineKind: engine.kind,
        engineVersion: engine.version ?? null,
        crs: engine.crs ?? null,
        ...(capabilities === undefined ? {} : { capabilities }),
      })
      .where(inTenant(gatewayEnforcers, row.tenantId, eq(gatewayEnforcers.id, row.id)))
  })
  return {}
}
