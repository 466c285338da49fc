/** Approvals of risky changes by other people. */
import { and, desc, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { securityApprovals } from '../../db/tables.gen.ts'
import type { SecurityApproval } from '../../src/api/gateway-record-shapes.ts'
import { consent, withdraw } from '../../src/gateway-policy/approval.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, personOf, tenantOf } from '../auth/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'
import { approvalError, approvalOf, recordApproval } from './change.ts'
import type { ApprovalRow } from './operations.ts'
import { approvalRecords } from './show.ts'
import { appendAudit, type EnvironmentRow, findEnvironment, lockEnvironment } from './store.ts'

/** A page of the requests of an environment, newest first. */
export async function listApprovals(deps: Deps, grant: Grant, ref: string, page: StablePage) {
  const { read } = deps.db
  const row = await findEnvironment(read, tenantOf(grant).id, ref)
  const mine = inTenant(securityApprovals, row.tenantId, eq(securityApprovals.environmentId, row.id))
  const { rows, page: counts } = await readStablePage(read, securityApprovals, {
    where: mine,
    order: [securityApprovals.requestedAt, securityApprovals.id],
    page,
    added: securityApprovals.requestedAt,
    now: deps.clock.iso(),
  })
  const approvals = await approvalRecords(read, row, rows, deps.clock.iso())
  return { approvals, count: approvals.length, ...counts }
}

/**
 * A request for approval of an environment.
 * @throws SvcError `approval-not-found`
 */
export async function readApproval(read: Reader, row: EnvironmentRow, id: string): Promise<ApprovalRow> {
  const mine = and(eq(securityApprovals.environmentId, row.id), eq(securityApprovals.id, id))
  const [found] = await read
    .select()
    .from(securityApprovals)
    .where(inTenant(securityApprovals, row.tenantId, mine))
  if (found === undefined) throw new SvcError('approval-not-found', { approval: id })
  return found
}

/** What a person says about a request. */
export interface Decision {
  readonly changeDigest: string
  readonly decision?: 'approve' | 'withdraw'
  readonly note?: string
}

/** What the audit trail says of a request: also who asked, and whether the approval makes the change. */
const auditedApproval = ({ changeDigest, operation, summary, requestedBy, applyWhenApproved }: ApprovalRow) => ({
  changeDigest,
  operation,
  summary,
  requestedBy,
  applyWhenApproved,
})

/**
 * Approves a request as the caller, who is always a person, or withdraws it.
 * @throws SvcError `approval-not-found`, `approval-self`, `approval-stale`, `approval-used`, `approval-expired`, `approval-withdrawn`
 */
export async function decideApproval(
  deps: Deps,
  grant: Grant,
  ref: string,
  input: Decision,
): Promise<SecurityApproval> {
  const person = personOf(grant)
  const { id: tenantId } = tenantOf(grant)
  return deps.db.inTransaction(async (tx) => {
    const row = await lockEnvironment(tx, tenantId, ref)
    const at = deps.clock.iso()
    const [found] = await tx
      .select()
      .from(securityApprovals)
      .where(
        inTenant(
          securityApprovals,
          tenantId,
          and(eq(securityApprovals.environmentId, row.id), eq(securityApprovals.changeDigest, input.changeDigest)),
        ),
      )
      .orderBy(desc(securityApprovals.requestedAt), desc(securityApprovals.id))
      .limit(1)
    if (found === undefined) throw new SvcError('approval-not-found', { approval: input.changeDigest })
    const moment = { now: at, policyVersion: row.policyVersion }
    const note = input.note?.trim() ?? ''
    const isApproval = input.decision !== 'withdraw'
    const approval = approvalOf(found, row)
    const step = isApproval ? consent(approval, moment, { by: person, note }) : withdraw(approval, moment)
    if (!('approval' in step)) throw approvalError(step.refusal, found)
    const { consents, withdrawnAt } = step.approval
    await tx
      .update(securityApprovals)
      .set({ consents, withdrawnAt })
      .where(inTenant(securityApprovals, tenantId, eq(securityApprovals.id, found.id)))
    if (step.approval !== approval)
      await appendAudit(tx, row, {
        actor: `user:${person}`,
        action: isApproval ? 'approval.given' : 'approval.withdrawn',
        target: `approval:${found.id}`,
        after: auditedApproval(found),
        reason: note === '' ? null : note,
        policyVersion: row.policyVersion,
        at,
      })
    const isGiven = isApproval && step.approval !== approval && consents.length === approval.approversMin
    if (isGiven)
      await recordApproval(deps, tx, row, found, { type: 'gateway.approval_given', by: `user:${person}`, at })
    const [record] = await approvalRecords(tx, row, [{ ...found, consents, withdrawnAt }], at)
    if (record === undefined) throw new SvcError('approval-not-found', { approval: input.changeDigest })
    return record
  })
}

/**
 * Records whether the approval applied the change: in the audit trail and, where that failed, on the request, for the person who asked.
 * @param failure why it was not made; null: it was. A request that someone else used meanwhile did not fail.
 * @returns the request as it is then
 */
export async function recordApplied(
  deps: Deps,
  grant: Grant,
  { environmentId, approvalId }: { readonly environmentId: string; readonly approvalId: string },
  failure: SvcError | null,
): Promise<SecurityApproval> {
  const by = `user:${personOf(grant)}`
  return deps.db.inTransaction(async (tx) => {
    const row = await lockEnvironment(tx, tenantOf(grant).id, environmentId)
    const found = await readApproval(tx, row, approvalId)
    const at = deps.clock.iso()
    const isMade = found.usedAt !== null
    const notApplied = isMade || failure === null ? null : { code: failure.code, message: failure.message, at }
    if (notApplied !== null) {
      await tx
        .update(securityApprovals)
        .set({ notApplied })
        .where(inTenant(securityApprovals, row.tenantId, eq(securityApprovals.id, found.id)))
      const refusal = notApplied.message
      await recordApproval(deps, tx, row, found, { type: 'gateway.approval_not_applied', by, at, refusal })
    }
    if (isMade === (failure === null))
      await appendAudit(tx, row, {
        actor: by,
        action: isMade ? 'approval.applied' : 'approval.not-applied',
        target: `approval:${found.id}`,
        after: auditedApproval(found),
        reason: notApplied?.message ?? null,
        policyVersion: row.policyVersion,
        at,
      })
    const [record] = await approvalRecords(tx, row, [{ ...found, notApplied }], at)
    if (record === undefined) throw new SvcError('approval-not-found', { approval: approvalId })
    return record
  })
}
