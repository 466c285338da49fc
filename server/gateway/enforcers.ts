/** Gateways that follow the policy of an environment. */
import { and, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { gatewayEnforcers } from '../../db/tables.gen.ts'
import { enforcersApi, type Enforcer } from '../../src/api/gateway-enforcers.ts'
import type { Input } from '../../src/api/endpoint.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, makeKey, readKey, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps, Page } from '../kit/door.ts'
import {
  appendAudit,
  approvalError,
  type EnvironmentRow,
  evidenceKey,
  findEnvironment,
  lockEnvironment,
  takeApproval,
  type Asking,
  type RiskyChange,
} from '../gateway-policy/door.ts'
import { enforcersOf, type EnforcerRow } from './enforcer-rows.ts'
import { askForRelease } from './ask-for-release.ts'
import { environmentViewOf, stateIn, type EnvironmentView } from './environment-view.ts'
import { ensureSigningKey, publicKeyOf } from './signing.ts'

export const mostEnforcers = 20

export const enforcerRecord = (view: EnvironmentView, row: EnforcerRow, now: number): Enforcer => ({
  id: row.id,
  label: row.label,
  engine: row.kind,
  version: row.engineVersion,
  crs: row.crs,
  capabilities: [...row.capabilities],
  keyPrefix: row.keyPrefix,
  state: stateIn(view, row, now),
  activeReleaseId: row.activeReleaseId,
  lastSeenAt: row.lastSeenAt,
  lastError: row.lastError,
  createdAt: row.createdAt,
  rotatedAt: row.rotatedAt,
})

async function findEnforcer(read: Reader, row: EnvironmentRow, ref: string): Promise<EnforcerRow> {
  const rows = await enforcersOf(read, row)
  const found = rows.find(({ id, label }) => id === ref || label === ref)
  if (found === undefined) throw new SvcError('enforcer-not-found', { enforcer: ref })
  return found
}

/**
 * A page of the gateways of an environment.
 * @throws SvcError `environment-not-found`
 */
export async function listEnforcers(deps: Deps, grant: Grant, ref: string, page: Page) {
  const { read } = deps.db
  const row = await findEnvironment(read, tenantOf(grant).id, ref)
  const view = await environmentViewOf(read, row)
  const now = deps.clock.now()
  const rows = view.enforcers
  const shown = rows.slice(page.offset, page.offset + page.limit).map((it) => enforcerRecord(view, it, now))
  return {
    enforcers: shown,
    publicKey: await publicKeyOf(read),
    count: shown.length,
    total: rows.length,
    ...page,
  }
}

function newKey(): { readonly key: string; readonly keyPrefix: string; readonly keyHash: string } {
  const key = makeKey('gateway')
  const { prefix: keyPrefix, hash: keyHash } = readKey(key) ?? { prefix: '', hash: '' }
  return { key, keyPrefix, keyHash }
}

/** Notes a change of a gateway in both trails: that of the environment and that of the organization. */
async function note(
  deps: Deps,
  tx: Transaction,
  grant: Grant,
  row: EnvironmentRow,
  entry: {
    readonly action: 'enforcer.created' | 'enforcer.removed' | 'enforcer.key-rotated'
    readonly enforcer: EnforcerRow
  },
): Promise<void> {
  const { action, enforcer } = entry
  const { id, label, kind, keyPrefix } = enforcer
  const at = deps.clock.iso()
  const facts = { label, engine: kind, keyPrefix }
  await appendAudit(tx, row, {
    actor: actorOf(grant) ?? 'system',
    action,
    target: `enforcer:${id}`,
    ...(action === 'enforcer.removed' ? { before: facts } : { after: facts }),
    policyVersion: row.policyVersion,
    at,
  })
  const { tenantId, name, slug } = row
  const detail = { environment: slug, name, ...facts }
  await recordAudit(tx, { tenantId, actor: grant.principal, action, targetId: id, detail, at })
}

/**
 * Adds a gateway, whose key is in this answer only.
 * @throws SvcError `environment-not-found`, `enforcer-label-taken`, `security-limit-reached`, `secret-key-missing`
 */
export async function createEnforcer(
  deps: Deps,
  grant: Grant,
  ref: string,
  body: Input<typeof enforcersApi.create>['body'],
) {
  const { key, ...stored } = newKey()
  return deps.db.inTransaction(async (tx) => {
    const environment = await lockEnvironment(tx, tenantOf(grant).id, ref)
    const mine = inTenant(gatewayEnforcers, environment.tenantId, eq(gatewayEnforcers.environmentId, environment.id))
    const used = await tx.$count(gatewayEnforcers, mine)
    if (used >= mostEnforcers) throw new SvcError('security-limit-reached', { what: 'gateways', max: mostEnforcers })
    const [taken] = await tx
      .select({ id: gatewayEnforcers.id })
      .from(gatewayEnforcers)
      .where(and(mine, eq(gatewayEnforcers.label, body.label)))
    if (taken !== undefined) throw new SvcError('enforcer-label-taken', { label: body.label })
    const row: EnforcerRow = {
      id: newId(),
      tenantId: environment.tenantId,
      environmentId: environment.id,
      label: body.label,
      kind: body.engine,
      ...stored,
      createdBy: actorOf(grant),
      createdAt: deps.clock.iso(),
      rotatedAt: null,
      lastSeenAt: null,
      silentAt: null,
      reportedState: null,
      reportedAt: null,
      activeReleaseId: null,
      failedReleaseId: null,
      rowsFullAt: null,
      linesFullAt: null,
      lastError: null,
      engineKind: null,
      engineVersion: null,
      crs: null,
      capabilities: [],
    }
    await tx.insert(gatewayEnforcers).values(row)
    await note(deps, tx, grant, environment, { action: 'enforcer.created', enforcer: row })
    const { publicKey } = await ensureSigningKey(deps, tx)
    await evidenceKey(deps, tx, row.tenantId)
    await askForRelease(deps, tx, environment)
    const view = await environmentViewOf(tx, environment)
    return { enforcer: enforcerRecord(view, row, deps.clock.now()), key, publicKey }
  })
}

/**
 * Replaces the key of a gateway, whose new one is in this answer only. The old one ends at once.
 * @throws SvcError `environment-not-found`, `enforcer-not-found`
 */
export async function rotateEnforcer(deps: Deps, grant: Grant, ref: string, enforcer: string) {
  const { key, ...stored } = newKey()
  return deps.db.inTransaction(async (tx) => {
    const environment = await lockEnvironment(tx, tenantOf(grant).id, ref)
    const found = await findEnforcer(tx, environment, enforcer)
    const row = { ...found, ...stored, rotatedAt: deps.clock.iso() }
    await tx
      .update(gatewayEnforcers)
      .set({ ...stored, rotatedAt: row.rotatedAt })
      .where(inTenant(gatewayEnforcers, row.tenantId, eq(gatewayEnforcers.id, row.id)))
    await note(deps, tx, grant, environment, { action: 'enforcer.key-rotated', enforcer: row })
    const { publicKey } = await ensureSigningKey(deps, tx)
    const view = await environmentViewOf(tx, environment)
    return { enforcer: enforcerRecord(view, row, deps.clock.now()), key, publicKey }
  })
}

/**
 * Removes a gateway. It is a risky change: the gateway keeps the release that it has, and reports nothing any more.
 * @throws SvcError `environment-not-found`, `enforcer-not-found`, `approval-required` and what stops an approval
 */
export async function removeEnforcer(
  deps: Deps,
  grant: Grant,
  ref: string,
  enforcer: string,
  asking: Asking,
): Promise<void> {
  const waiting = await deps.db.inTransaction(async (tx) => {
    const environment = await lockEnvironment(tx, tenantOf(grant).id, ref)
    const row = await findEnforcer(tx, environment, enforcer)
    if (environment.approvalsRequired) {
      const sentence = `The gateway "${row.label}" is removed: it gets no release and reports nothing any more.`
      const change: RiskyChange = {
        operation: 'DELETE /security/enforcers',
        target: row.id,
        body: {},
        summary: [sentence],
        risks: [sentence],
        preview: null,
      }
      const actor = actorOf(grant) ?? 'system'
      const asked = await takeApproval(deps, tx, environment, change, { actor, asking, now: deps.clock.now() })
      if (asked !== null) return asked
    }
    // The head of the audit trail may have moved with the approval.
    const now = await findEnvironment(tx, environment.tenantId, environment.id)
    await tx.delete(gatewayEnforcers).where(inTenant(gatewayEnforcers, row.tenantId, eq(gatewayEnforcers.id, row.id)))
    await note(deps, tx, grant, now, { action: 'enforcer.removed', enforcer: row })
    return null
  })
  if (waiting !== null) throw approvalError('approval-required', waiting)
}
