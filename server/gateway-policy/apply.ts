/** Applies approved changes: a request for approval holds the whole change, so that no one has to send it again. */
import { environmentsApi } from '../../src/api/environments.ts'
import { gatewayPositiveApi } from '../../src/api/gateway-positive.ts'
import type { SecurityApproval } from '../../src/api/gateway-record-shapes.ts'
import { gatewayRecordsApi } from '../../src/api/gateway-records.ts'
import { gatewayApi } from '../../src/api/gateway.ts'
import { use } from '../../src/gateway-policy/approval.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, grantOfActor, tenantOf } from '../auth/door.ts'
import { decideApproval, type Decision, readApproval, recordApplied } from './approvals.ts'
import { approvalError, approvalOf } from './change.ts'
import type { PolicyDeps } from './enforcement.ts'
import { removeEnvironment, updateEnvironment } from './environments.ts'
import { createException, removeException } from './exceptions.ts'
import { type ApplyChange, type ApprovalRow, checkedBody, type PolicyOperation } from './operations.ts'
import { setPositive } from './positive.ts'
import { setManagedGroup, setPresets } from './presets.ts'
import { createRule, removeRule, restoreRule, updateRule } from './rules.ts'
import { approvalRecords } from './show.ts'
import { findEnvironment } from './store.ts'
import { restoreVersion } from './versions.ts'

/** What the operations without a body take. */
const controlsOf = ({ id, policyVersion }: ApprovalRow) => ({ approvalId: id, expectedPolicyVersion: policyVersion })

/** After it there is neither the environment nor the request. */
const deletion = 'DELETE /environments'

const changes: Readonly<Record<PolicyOperation, ApplyChange<PolicyDeps>>> = {
  'PATCH /environments': (deps, grant, ref, approval) =>
    updateEnvironment(deps, grant, ref, checkedBody(environmentsApi.update.body, approval)),
  [deletion]: (deps, grant, ref, { id }) => removeEnvironment(deps, grant, ref, { approvalId: id }),
  'PUT /security/presets': (deps, grant, ref, approval) =>
    setPresets(deps, grant, ref, checkedBody(gatewayApi.setPresets.body, approval)),
  'PUT /security/managed-groups': (deps, grant, ref, approval) =>
    setManagedGroup(deps, grant, ref, approval.target ?? '', checkedBody(gatewayApi.setManagedGroup.body, approval)),
  'PUT /security/positive': (deps, grant, ref, approval) =>
    setPositive(deps, grant, ref, checkedBody(gatewayPositiveApi.setPositive.body, approval)),
  'POST /security/rules': (deps, grant, ref, approval) =>
    createRule(deps, grant, ref, checkedBody(gatewayApi.createRule.body, approval)),
  'PUT /security/rules': (deps, grant, ref, approval) =>
    updateRule(deps, grant, ref, approval.target ?? '', checkedBody(gatewayApi.updateRule.body, approval)),
  'DELETE /security/rules': (deps, grant, ref, approval) =>
    removeRule(deps, grant, ref, approval.target ?? '', controlsOf(approval)),
  'POST /security/rules/restore': (deps, grant, ref, approval) =>
    restoreRule(deps, grant, ref, approval.target ?? '', controlsOf(approval)),
  'POST /security/exceptions': (deps, grant, ref, approval) =>
    createException(deps, grant, ref, checkedBody(gatewayApi.createException.body, approval)),
  'DELETE /security/exceptions': (deps, grant, ref, approval) =>
    removeException(deps, grant, ref, approval.target ?? '', controlsOf(approval)),
  'POST /security/policy-versions/restore': (deps, grant, ref, approval) =>
    restoreVersion(deps, grant, ref, Number(approval.target), controlsOf(approval)),
}

/**
 * Makes the change of an approved request, as who requested it.
 * @param changeDigest the change that the caller means; another one is refused
 * @returns the request as it is then, and the version of the policy
 * @throws SvcError `environment-not-found`, `approval-not-found`, `approval-required` while it waits, `approval-mismatch` for
 *   another person or another change, `approval-stale`, `approval-used`, `approval-expired`, `approval-withdrawn`, and what the operation
 *   refuses
 */
export async function applyApproval(
  deps: PolicyDeps,
  grant: Grant,
  ref: string,
  id: string,
  { changeDigest }: { readonly changeDigest?: string | undefined },
): Promise<{ readonly approval: SecurityApproval; readonly policyVersion: number }> {
  const { read } = deps.db
  const { id: tenantId } = tenantOf(grant)
  const row = await findEnvironment(read, tenantId, ref)
  const found = await readApproval(read, row, id)
  if (changeDigest !== undefined && changeDigest !== found.changeDigest) throw new SvcError('approval-mismatch')
  // Looked at before the operation, which may refuse the change for what has changed since; it looks again in its transaction.
  const moment = { now: deps.clock.iso(), policyVersion: row.policyVersion }
  const by = actorOf(grant) ?? 'system'
  const step = use(approvalOf(found, row), moment, { digest: found.changeDigest, by })
  if (!('approval' in step)) throw approvalError(step.refusal, found)
  const all: Readonly<Record<string, ApplyChange<PolicyDeps>>> = { ...changes, ...deps.enforcement.changes }
  const change = all[found.operation]
  if (change === undefined) throw new SvcError('approval-mismatch')
  const at = deps.clock.iso()
  const [used] = await approvalRecords(read, row, [{ ...found, usedAt: at }], at)
  await change(deps, grant, row.id, found)
  if (found.operation === deletion && used !== undefined) return { approval: used, policyVersion: row.policyVersion }
  const now = await findEnvironment(read, tenantId, row.id)
  const [approval] = await approvalRecords(read, now, [await readApproval(read, now, id)], deps.clock.iso())
  if (approval === undefined) throw new SvcError('approval-not-found', { approval: id })
  return { approval, policyVersion: now.policyVersion }
}

/**
 * Decides about a request as the caller, who is always a person. Where who requested it chose so, the last approval that it needs makes the
 * change, as who requested it and with everything that is checked when they make it themselves; where that is refused the request stays
 * approved and says why. Approving it again tries again.
 * @throws SvcError `environment-not-found`, `approval-not-found`, `approval-self`, `approval-stale`, `approval-used`, `approval-expired`,
 *   `approval-withdrawn`
 */
export async function approve(
  deps: PolicyDeps,
  grant: Grant,
  ref: string,
  decision: Decision,
): Promise<SecurityApproval> {
  const approval = await decideApproval(deps, grant, ref, decision)
  if (approval.state !== 'approved' || !approval.applyWhenApproved) return approval
  const { environmentId, id: approvalId, changeDigest, operation } = approval
  const { requestedBy } = await readApproval(
    deps.db.read,
    await findEnvironment(deps.db.read, tenantOf(grant).id, environmentId),
    approvalId,
  )
  let failure: SvcError | null = null
  try {
    const theirs = await grantOfActor(deps, requestedBy, gatewayRecordsApi.applyApproval.access, tenantOf(grant))
    const { approval: used } = await applyApproval(deps, theirs, environmentId, approvalId, { changeDigest })
    if (operation === deletion) return used
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    failure = error
  }
  return recordApplied(deps, grant, { environmentId, approvalId }, failure)
}
