/** Exceptions: one place, some rules, an end. */
import { newId } from '../../db/id.ts'
import type { ExceptionCreate } from '../../src/api/gateway-shapes.ts'
import { exceptionRefusalsOf } from '../../src/gateway-policy/exception-check.ts'
import { exceptionState, type Exception, type Policy } from '../../src/gateway-policy/model.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, tenantOf } from '../auth/door.ts'
import { changePolicy, withoutControls, type Controls, type PolicyChange } from './change.ts'
import type { PolicyDeps } from './enforcement.ts'
import { exceptionRecords } from './show.ts'
import { findEnvironment, readPolicy } from './store.ts'

const mostExceptions = 200
/** How many of those that ended stay in the list, the newest ones. */
const mostEnded = 400

/** @throws SvcError `exception-invalid`, `exception-unbounded`, `exception-too-long`, `exception-unscoped` */
export function readException(given: Omit<ExceptionCreate, keyof Controls>, grant: Grant, now: string) {
  const { scope, target, ticket } = given
  const at = given.expiresAt == null ? Number.NaN : Date.parse(given.expiresAt)
  const read = {
    scope: {
      route: scope.route ?? null,
      path: scope.path ?? null,
      method: scope.method?.toUpperCase() ?? null,
      field: scope.field ?? null,
    },
    target: { groups: [...new Set(target.groups)], ruleRefs: [...new Set(target.ruleRefs)] },
    reason: given.reason.trim(),
    expiresAt: Number.isNaN(at) ? null : new Date(at).toISOString(),
  }
  const [refusal] = exceptionRefusalsOf(read, now)
  if (refusal !== undefined) throw new SvcError(refusal.code, { reason: refusal.reason })
  if (read.reason === '') throw new SvcError('exception-invalid', { reason: 'it has no reason' })
  const createdBy = actorOf(grant)
  return {
    ...read,
    expiresAt: read.expiresAt ?? now,
    ticket: ticket ?? null,
    createdAt: now,
    createdBy,
    removedAt: null,
  }
}

/** The list with room for one more: what ended long ago leaves it. */
export function withRoom(exceptions: readonly Exception[], now: string): Exception[] {
  const isActive = (it: Exception) => exceptionState(it, now) === 'active'
  if (exceptions.filter(isActive).length >= mostExceptions)
    throw new SvcError('security-limit-reached', { what: 'active exceptions', max: mostExceptions })
  const ended = exceptions.filter((it) => !isActive(it)).slice(0, mostEnded)
  return exceptions.filter((it) => isActive(it) || ended.includes(it))
}

export function assertKnownRules({ rules, removedRules }: Policy, refs: readonly string[]): void {
  for (const ref of refs) {
    const id = ref.startsWith('rule:') ? ref.slice('rule:'.length) : null
    if (id !== null && ![...rules, ...removedRules].some((it) => it.id === id))
      throw new SvcError('rule-not-found', { rule: id })
  }
}

type Change = Omit<PolicyChange, 'auditTarget' | 'audited'>

async function write(deps: PolicyDeps, grant: Grant, ref: string, id: string, change: Change, controls: Controls) {
  const audited = ({ exceptions }: Policy) => exceptions.find((it) => it.id === id) ?? null
  const whole: PolicyChange = { ...change, auditTarget: `exception:${id}`, audited }
  const { policy, row, result } = await changePolicy(deps, grant, ref, whole, controls)
  const found = policy.exceptions.filter((it) => it.id === id)
  const [exception] = await exceptionRecords(deps.db.read, row, found, deps.clock.iso())
  if (exception === undefined) throw new SvcError('exception-not-found', { exception: id })
  return { exception, ...result }
}

/** @throws SvcError the refusals of exceptions, `rule-not-found`, `security-limit-reached`, and what `changePolicy` throws */
export async function createException(deps: PolicyDeps, grant: Grant, ref: string, given: ExceptionCreate) {
  const body = withoutControls(given)
  const id = newId()
  const now = deps.clock.iso()
  const read = readException(body, grant, now)
  const edit: PolicyChange['edit'] = (policy, row) => {
    assertKnownRules(policy, read.target.ruleRefs)
    const policyVersion = row.policyVersion + 1
    const exception: Exception = { id, ...read, policyVersion, approvalId: given.approvalId ?? null }
    return { ...policy, exceptions: [exception, ...withRoom(policy.exceptions, now)] }
  }
  const change: Change = {
    operation: 'POST /security/exceptions',
    target: null,
    body,
    action: 'exception.created',
    reason: read.reason,
    edit,
  }
  return write(deps, grant, ref, id, change, given)
}

/** @throws SvcError `exception-not-found`, and what `changePolicy` throws */
export async function removeException(deps: PolicyDeps, grant: Grant, ref: string, id: string, controls: Controls) {
  const edit = (policy: Policy): Policy => {
    const found = policy.exceptions.find((it) => it.id === id)
    if (found === undefined || found.removedAt !== null) throw new SvcError('exception-not-found', { exception: id })
    const removed: Exception = { ...found, removedAt: deps.clock.iso() }
    return { ...policy, exceptions: policy.exceptions.map((it) => (it.id === id ? removed : it)) }
  }
  const change: Change = {
    operation: 'DELETE /security/exceptions',
    target: id,
    body: {},
    action: 'exception.removed',
    edit,
  }
  return write(deps, grant, ref, id, change, controls)
}

/** Exceptions with what they let through, newest first. */
export async function listExceptions(deps: PolicyDeps, grant: Grant, ref: string, withEnded: boolean) {
  const { read } = deps.db
  const row = await findEnvironment(read, tenantOf(grant).id, ref)
  const { policy } = await readPolicy(read, row, row.policyVersion)
  const now = deps.clock.iso()
  const shown = policy.exceptions.filter((it) => withEnded || exceptionState(it, now) === 'active')
  const exceptions = await exceptionRecords(read, row, shown, now)
  return { policyVersion: row.policyVersion, exceptions, count: exceptions.length }
}
