/** What a gateway does with its own key. */
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { environments, gatewayEnforcers } from '../../db/tables.gen.ts'
import { enforcerSelfApi } from '../../src/api/gateway-enforcers.ts'
import type { Input } from '../../src/api/endpoint.ts'
import { SvcError } from '../../src/errors.ts'
import type { Grant } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { recordEvent } from '../outbox/door.ts'
import type { EnforcerRow } from './enforcer-rows.ts'
import { readRelease } from './release-rows.ts'

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

/** Tells members of a release that a gateway cannot use, once for each release and gateway. */
async function reportFailure(
  deps: Deps,
  tx: Transaction,
  { id, tenantId, environmentId, label }: EnforcerRow,
  { releaseId, reason }: { readonly releaseId: string; readonly reason: string },
): Promise<void> {
  const [environment] = await tx
    .select()
    .from(environments)
    .where(inTenant(environments, tenantId, eq(environments.id, environmentId)))
  if (environment === undefined) return
  await recordEvent(deps, tx, {
    tenantId,
    type: 'gateway.release_failed',
    subjectId: id,
    payload: {
      environment_id: environmentId,
      environment_slug: environment.slug,
      environment_name: environment.name,
      policy_version: environment.policyVersion,
      release_id: releaseId,
      enforcer_id: id,
      enforcer_label: label,
      reason,
    },
    at: deps.clock.iso(),
  })
}

/**
 * Stores what a gateway reports.
 * @throws SvcError `enforcer-not-found`, `release-not-found`
 */
export async function reportStatus(
  deps: Deps,
  grant: Grant,
  body: Input<typeof enforcerSelfApi.status>['body'],
): Promise<Record<string, never>> {
  const { releaseId: named, state, error = null, engine, capabilities } = body
  const at = deps.clock.iso()
  await deps.db.inTransaction(async (tx) => {
    const row = await selfOf(tx, grant)
    const environment = { id: row.environmentId, tenantId: row.tenantId }
    const release = named === null ? null : await readRelease(tx, environment, named)
    if (named !== null && release === null) throw new SvcError('release-not-found', { what: `release "${named}"` })
    const releaseId = release?.id ?? null
    const isActive = state === 'active'
    if (state === 'failed' && releaseId !== null && row.failedReleaseId !== releaseId)
      await reportFailure(deps, tx, row, { releaseId, reason: error ?? 'The gateway gave no reason.' })
    // What failed leaves the earlier release in place; after a start nothing is confirmed.
    const kept = state === 'failed' ? row.activeReleaseId : null
    const failed = state === 'failed' ? releaseId : row.failedReleaseId
    await tx
      .update(gatewayEnforcers)
      .set({
        reportedState: state,
        reportedAt: at,
        lastSeenAt: at,
        silentAt: null,
        activeReleaseId: isActive ? releaseId : kept,
        failedReleaseId: isActive ? null : failed,
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
