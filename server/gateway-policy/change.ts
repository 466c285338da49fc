/** The one way in which a policy changes: compared, approved where it is risky, stored as a new version, audited. */
import { desc, eq } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { environments, securityApprovals, securityPolicies } from '../../db/tables.gen.ts'
import {
  approvalMs,
  approvalState,
  use,
  type Approval,
  type ApprovalRefusal,
} from '../../src/gateway-policy/approval.ts'
import { differencesOf, risksOf, type Difference } from '../../src/gateway-policy/compare.ts'
import { changeDigest, digestOf, policyDigest } from '../../src/gateway-policy/digest.ts'
import type { Policy } from '../../src/gateway-policy/model.ts'
import type { Replay } from '../../src/gateway-policy/replay.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, peopleBehind, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { recordEvent } from '../outbox/door.ts'
import type { Enforcement, PolicyDeps } from './enforcement.ts'
import type { ApprovalRow, GatewayOperation, PolicyOperation } from './operations.ts'
import { assertModes } from './modes.ts'
import { appendAudit, findEnvironment, lockEnvironment, previewOf, readPolicy, type EnvironmentRow } from './store.ts'

/** The approval that a change uses, or how one is asked for. */
export interface Asking {
  readonly approvalId?: string | undefined
  /** Whether the last approval that it needs makes the change. */
  readonly applyWhenApproved?: boolean | undefined
}

/** What steers a write; null is like omitted. */
export interface Controls extends Asking {
  readonly expectedPolicyVersion?: number | undefined
  readonly dryRun?: boolean | undefined
}

/** What an approval is asked for. */
export interface RiskyChange {
  readonly operation: PolicyOperation | GatewayOperation
  readonly target: string | null
  /** The request without its controls. */
  readonly body: Readonly<Record<string, unknown>>
  readonly summary: readonly string[]
  readonly risks: readonly string[]
  readonly preview: Replay | null
}

/** An approval as it counts now: where more approvers are required meanwhile, it needs as many. */
export const approvalOf = (row: ApprovalRow, { approversMin }: Pick<EnvironmentRow, 'approversMin'>): Approval => ({
  ...row,
  approversMin: Math.max(row.approversMin, approversMin),
})

/** A body without what only steers its request. */
export function withoutControls<T extends object>(body: T | undefined): Omit<T, keyof Controls> {
  const {
    expectedPolicyVersion: _version,
    dryRun: _dryRun,
    approvalId: _approvalId,
    applyWhenApproved: _apply,
    ...rest
  } = (body ?? {}) as T & Controls
  return rest
}

/** The refusal of an approval as an error of the catalogue. */
export function approvalError(refusal: ApprovalRefusal, row: ApprovalRow): SvcError {
  if (refusal !== 'approval-required') return new SvcError(refusal)
  const { changeDigest, id: approvalId, policyVersion, expiresAt, risks } = row
  return new SvcError('approval-required', { risks, changeDigest, approvalId, policyVersion, expiresAt })
}

/** Writes that an approval is asked for or given, so that the people concerned are notified. */
export async function recordApproval(
  deps: Deps,
  tx: Transaction,
  row: EnvironmentRow,
  approval: Pick<ApprovalRow, 'id' | 'summary' | 'requesters' | 'applyWhenApproved'>,
  {
    type,
    by,
    at,
    refusal,
  }: {
    type: 'gateway.approval_requested' | 'gateway.approval_given' | 'gateway.approval_not_applied'
    by: string
    at: string
    /** Why the approval did not make the change. */
    refusal?: string
  },
): Promise<void> {
  const { id, summary, requesters } = approval
  const environment = { environment_id: row.id, environment_slug: row.slug, environment_name: row.name }
  const payload = {
    ...environment,
    approval_id: id,
    summary,
    requesters,
    by,
    apply_when_approved: approval.applyWhenApproved,
    refusal: refusal ?? null,
  }
  await recordEvent(deps, tx, { tenantId: row.tenantId, type, subjectId: id, payload, at })
}

/**
 * The open request for this change; without one a new one. Who repeats their request says again whether the approval makes the change;
 * another person's request stays as it is.
 */
async function requestApproval(
  deps: Deps,
  tx: Transaction,
  row: EnvironmentRow,
  change: RiskyChange,
  {
    actor,
    digest,
    now,
    applyWhenApproved,
  }: { readonly actor: string; readonly digest: string; readonly now: number; readonly applyWhenApproved: boolean },
): Promise<ApprovalRow> {
  const known = await tx
    .select()
    .from(securityApprovals)
    .where(
      inTenant(
        securityApprovals,
        row.tenantId,
        eq(securityApprovals.environmentId, row.id),
        eq(securityApprovals.changeDigest, digest),
      ),
    )
    .orderBy(desc(securityApprovals.requestedAt), desc(securityApprovals.id))
  const moment = { now: isoOf(now), policyVersion: row.policyVersion }
  const open = known.find((it) => ['pending', 'approved'].includes(approvalState(approvalOf(it, row), moment)))
  if (open !== undefined) {
    if (open.requestedBy !== actor || open.applyWhenApproved === applyWhenApproved) return open
    await tx
      .update(securityApprovals)
      .set({ applyWhenApproved })
      .where(inTenant(securityApprovals, row.tenantId, eq(securityApprovals.id, open.id)))
    return { ...open, applyWhenApproved }
  }
  const asked: ApprovalRow = {
    id: newId(),
    environmentId: row.id,
    tenantId: row.tenantId,
    changeDigest: digest,
    operation: change.operation,
    target: change.target,
    body: change.body,
    summary: change.summary,
    risks: change.risks,
    preview: change.preview,
    policyVersion: row.policyVersion,
    requestedBy: actor,
    requesters: [...(await peopleBehind(tx, row.tenantId, [actor]))],
    requestedAt: isoOf(now),
    expiresAt: isoOf(now + approvalMs),
    approversMin: row.approversMin,
    consents: [],
    usedAt: null,
    withdrawnAt: null,
    applyWhenApproved,
    notApplied: null,
  }
  await tx.insert(securityApprovals).values(asked)
  await recordApproval(deps, tx, row, asked, { type: 'gateway.approval_requested', by: actor, at: asked.requestedAt })
  await appendAudit(tx, row, {
    actor,
    action: 'approval.requested',
    target: `approval:${asked.id}`,
    after: {
      changeDigest: digest,
      operation: change.operation,
      target: change.target,
      summary: change.summary,
      applyWhenApproved,
    },
    policyVersion: row.policyVersion,
    at: isoOf(now),
  })
  return asked
}

/**
 * Uses the approval of a risky change, or asks for one. The transaction holds the environment.
 * @returns null: the change may be made. Otherwise the request that waits: the caller commits it, then throws `approval-required`
 * @throws SvcError `approval-not-found`, `approval-stale`, `approval-used`, `approval-expired`, `approval-withdrawn`, `approval-mismatch`
 */
export async function takeApproval(
  deps: Deps,
  tx: Transaction,
  row: EnvironmentRow,
  change: RiskyChange,
  { actor, asking, now }: { readonly actor: string; readonly asking: Asking; readonly now: number },
): Promise<ApprovalRow | null> {
  const { operation, target, body } = change
  const digest = changeDigest({ environment: row.id, operation, target, body, policyVersion: row.policyVersion })
  const { approvalId, applyWhenApproved = false } = asking
  if (approvalId === undefined) return requestApproval(deps, tx, row, change, { actor, digest, now, applyWhenApproved })
  const own = inTenant(
    securityApprovals,
    row.tenantId,
    eq(securityApprovals.environmentId, row.id),
    eq(securityApprovals.id, approvalId),
  )
  const [found] = await tx.select().from(securityApprovals).where(own)
  if (found === undefined) throw new SvcError('approval-not-found', { approval: approvalId })
  const moment = { now: isoOf(now), policyVersion: row.policyVersion }
  const step = use(approvalOf(found, row), moment, { digest, by: actor })
  if (!('approval' in step)) throw approvalError(step.refusal, found)
  await tx.update(securityApprovals).set({ usedAt: step.approval.usedAt, notApplied: null }).where(own)
  return null
}

/** A change of a policy. */
export interface PolicyChange extends Pick<RiskyChange, 'target' | 'body'> {
  readonly operation: PolicyOperation
  /** What the audit trail calls it: "rule.created". */
  readonly action: string
  readonly auditTarget: string
  readonly reason?: string | null
  readonly restoredFrom?: number
  /** The policy after it. It may throw what stops the change. */
  readonly edit: (policy: Policy, row: EnvironmentRow) => Policy | Promise<Policy>
  /** Parts of the policy that the audit trail shows before and after it. */
  readonly audited: (policy: Policy) => unknown
}

/** What every write answers. */
export interface Written {
  readonly policy: Policy
  readonly row: EnvironmentRow
  readonly result: {
    readonly policyVersion: number
    readonly digest: string
    readonly changed: boolean
    readonly dryRun: boolean
    readonly changes: Difference[]
    readonly approvalRequired: boolean
    readonly preview: Replay | null
  }
}

interface Compared {
  readonly row: EnvironmentRow
  readonly before: Policy
  readonly after: Policy
  readonly changes: Difference[]
  readonly risks: readonly string[]
}

async function compare(
  enforcement: Enforcement,
  read: Reader,
  row: EnvironmentRow,
  { edit }: PolicyChange,
  { expectedPolicyVersion: expected }: Controls,
  now: number,
): Promise<Compared> {
  const current = row.policyVersion
  if (expected !== undefined && expected !== current)
    throw new SvcError('policy-version-conflict', { expected, current })
  const { policy: before } = await readPolicy(read, row, current)
  const after = await edit(before, row)
  await assertModes(enforcement, read, row, before, after)
  const changes = differencesOf(before, after, isoOf(now))
  return { row, before, after, changes, risks: row.approvalsRequired ? risksOf(changes) : [] }
}

async function store(
  deps: PolicyDeps,
  tx: Transaction,
  compared: Compared,
  change: PolicyChange,
  actor: string,
  at: string,
): Promise<EnvironmentRow> {
  const { row, before, after, changes } = compared
  const version = row.policyVersion + 1
  await tx.insert(securityPolicies).values({
    environmentId: row.id,
    tenantId: row.tenantId,
    version,
    policy: after,
    digest: policyDigest(after),
    changes: changes.map(({ sentence }) => sentence),
    restoredFrom: change.restoredFrom ?? null,
    createdBy: actor,
    createdAt: at,
  })
  await tx
    .update(environments)
    .set({ policyVersion: version, updatedAt: at })
    .where(inTenant(environments, row.tenantId, eq(environments.id, row.id)))
  // The change does not wait for it.
  await deps.enforcement.askForRelease(deps, tx, row)
  return appendAudit(
    tx,
    { ...row, policyVersion: version, updatedAt: at },
    {
      actor,
      action: change.action,
      target: change.auditTarget,
      before: change.audited(before),
      after: change.audited(after),
      reason: change.reason ?? null,
      policyVersion: version,
      at,
    },
  )
}

const isSame = (a: Policy, b: Policy): boolean => digestOf(a) === digestOf(b)

/**
 * Changes the policy of an environment.
 * @throws SvcError `environment-not-found`, `policy-version-conflict`, `mode-unsupported`, `approval-required` and what stops an approval or the edit
 */
export async function changePolicy(
  deps: PolicyDeps,
  grant: Grant,
  ref: string,
  change: PolicyChange,
  controls: Controls,
): Promise<Written> {
  const { id: tenantId } = tenantOf(grant)
  const actor = actorOf(grant) ?? 'system'
  const now = deps.clock.now()
  const answer = (compared: Compared, row: EnvironmentRow, changed: boolean, preview: Replay | null): Written => ({
    policy: compared.after,
    row,
    result: {
      policyVersion: row.policyVersion,
      digest: policyDigest(compared.after),
      changed,
      dryRun: controls.dryRun === true,
      changes: compared.changes,
      approvalRequired: compared.risks.length > 0,
      preview,
    },
  })
  if (controls.dryRun === true) {
    const { read } = deps.db
    const it = await compare(deps.enforcement, read, await findEnvironment(read, tenantId, ref), change, controls, now)
    return answer(it, it.row, !isSame(it.before, it.after), await previewOf(read, it.row, it.after, now))
  }
  const done = await deps.db.inTransaction(async (tx) => {
    const it = await compare(deps.enforcement, tx, await lockEnvironment(tx, tenantId, ref), change, controls, now)
    if (isSame(it.before, it.after)) return answer(it, it.row, false, null)
    if (it.risks.length > 0) {
      const preview = controls.approvalId === undefined ? await previewOf(tx, it.row, it.after, now) : null
      const { operation, target, body } = change
      const summary = it.changes.map(({ sentence }) => sentence)
      const risky: RiskyChange = { operation, target, body, summary, risks: it.risks, preview }
      const waiting = await takeApproval(deps, tx, it.row, risky, { actor, asking: controls, now })
      if (waiting !== null) return waiting
    }
    return answer(it, await store(deps, tx, it, change, actor, isoOf(now)), true, null)
  })
  if ('changeDigest' in done) throw approvalError('approval-required', done)
  return done
}
