/** Policies and their parts as the contract shows them. */
import { and, desc, eq } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { securityApprovals } from '../../db/tables.gen.ts'
import type { SecurityPolicy } from '../../src/api/gateway.ts'
import type { SecurityApproval } from '../../src/api/gateway-record-shapes.ts'
import type { ManagedGroup, SecurityException, SecurityRule } from '../../src/api/gateway-shapes.ts'
import { approvalState } from '../../src/gateway-policy/approval.ts'
import { catalogueDefault, managedGroups, rulesUpTo, type GroupId } from '../../src/gateway-policy/catalogue.ts'
import {
  effectiveMode,
  exceptionState,
  levelsOf,
  type Exception,
  type Policy,
  type Presets,
  type RemovedRule,
  type Rule,
} from '../../src/gateway-policy/model.ts'
import { printExpression } from '../../src/gateway-policy/text.ts'
import { describeActors, type Described, type Grant, tenantOf } from '../auth/door.ts'
import { approvalOf } from './change.ts'
import type { ApprovalRow } from './operations.ts'
import { dayCounts, exceptionCounts } from './count.ts'
import type { PolicyDeps } from './enforcement.ts'
import { findEnvironment, readPolicy, type EnvironmentRow } from './store.ts'

export const presetsOf = (it: Presets) => ({ ...it, levels: levelsOf(it) })

/** A managed group under a policy. */
export function groupRecord(policy: Policy, id: GroupId, requests: number): ManagedGroup {
  const group = managedGroups.find((it) => it.id === id)
  if (group === undefined) throw new RangeError(id)
  const { title, detects, rulesByLevel, readsResponses } = group
  const own = policy.groups[id]
  const { mode: effective, sentence } = effectiveMode(policy, id)
  return {
    id,
    title,
    detects,
    mode: own?.mode ?? null,
    effective,
    because: sentence,
    catalogDefault: catalogueDefault(id, policy.presets.tier),
    reason: own?.reason ?? null,
    rules: effective === 'off' ? 0 : rulesUpTo(group, levelsOf(policy.presets).blocking),
    rulesByLevel: [...rulesByLevel],
    readsResponses,
    hits24h: requests,
  }
}

/** A custom rule; of a removed one with the instant of its removal. */
export const ruleRecord = (rule: Rule | RemovedRule, requests: number): SecurityRule => ({
  id: rule.id,
  name: rule.name,
  enabled: rule.enabled,
  action: rule.action,
  status: rule.status,
  expression: rule.expression as Record<string, unknown>,
  expressionText: printExpression(rule.expression),
  order: rule.order,
  reason: rule.reason,
  groups: [...rule.groups],
  rate: rule.rate,
  version: rule.version,
  createdBy: rule.createdBy,
  createdAt: rule.createdAt,
  removedAt: 'removedAt' in rule ? rule.removedAt : null,
  hits24h: requests,
})

/** Exceptions with what they let through. */
export async function exceptionRecords(
  read: Reader,
  row: EnvironmentRow,
  exceptions: readonly Exception[],
  now: string,
): Promise<SecurityException[]> {
  const counts = await exceptionCounts(read, row, exceptions, Date.parse(now))
  return exceptions.map((exception) => ({
    id: exception.id,
    scope: { ...exception.scope },
    target: { groups: [...exception.target.groups], ruleRefs: [...exception.target.ruleRefs] },
    reason: exception.reason,
    ticket: exception.ticket,
    expiresAt: exception.expiresAt,
    state: exceptionState(exception, now),
    policyVersion: exception.policyVersion,
    hits: counts.get(exception.id) ?? { active: 0, sinceExpiry: 0 },
    createdBy: exception.createdBy,
    createdAt: exception.createdAt,
    removedAt: exception.removedAt,
    approvalId: exception.approvalId,
  }))
}

const someone = (people: ReadonlyMap<string, Described>, actor: string): Described =>
  people.get(actor) ?? { id: actor, name: actor }

/** Requests for approval as they are now. */
export async function approvalRecords(
  read: Reader,
  row: EnvironmentRow,
  rows: readonly ApprovalRow[],
  now: string,
): Promise<SecurityApproval[]> {
  const actors = rows.flatMap((it) => [it.requestedBy, ...it.consents.map(({ by }) => `user:${by}`)])
  const people = await describeActors(read, row.tenantId, actors)
  return rows.map((entry) => {
    const last = entry.consents.at(-1)
    const approval = approvalOf(entry, row)
    return {
      id: entry.id,
      environmentId: entry.environmentId,
      changeDigest: entry.changeDigest,
      operation: entry.operation,
      target: entry.target,
      body: entry.body,
      summary: [...entry.summary],
      risks: [...entry.risks],
      preview: entry.preview,
      policyVersion: entry.policyVersion,
      requestedBy: someone(people, entry.requestedBy),
      requestedAt: entry.requestedAt,
      expiresAt: entry.expiresAt,
      state: approvalState(approval, { now, policyVersion: row.policyVersion }),
      approversMin: approval.approversMin,
      approvals: entry.consents.map(({ by, at, note }) => ({ by: someone(people, `user:${by}`), at, note })),
      approvedBy: last === undefined ? null : someone(people, `user:${last.by}`).name,
      note: last === undefined || last.note === '' ? null : last.note,
      usedAt: entry.usedAt,
      applyWhenApproved: entry.applyWhenApproved,
      notApplied: entry.notApplied,
    }
  })
}

/** The requests that wait for an approval, or for their use. */
async function openApprovals(read: Reader, row: EnvironmentRow, now: string): Promise<SecurityApproval[]> {
  const mine = and(eq(securityApprovals.environmentId, row.id), eq(securityApprovals.policyVersion, row.policyVersion))
  const rows = await read
    .select()
    .from(securityApprovals)
    .where(inTenant(securityApprovals, row.tenantId, mine))
    .orderBy(desc(securityApprovals.requestedAt), desc(securityApprovals.id))
    .limit(50)
  const records = await approvalRecords(read, row, rows, now)
  return records.filter(({ state }) => state === 'pending' || state === 'approved')
}

/**
 * The policy of an environment.
 * @throws SvcError `environment-not-found`
 */
export async function showPolicy(deps: PolicyDeps, grant: Grant, ref: string): Promise<SecurityPolicy> {
  const { read } = deps.db
  const row = await findEnvironment(read, tenantOf(grant).id, ref)
  const { policy, digest } = await readPolicy(read, row, row.policyVersion)
  const now = deps.clock.now()
  const { byRule, byGroup } = await dayCounts(read, row, now)
  const active = policy.exceptions.filter((it) => exceptionState(it, isoOf(now)) === 'active')
  return {
    environmentId: row.id,
    policyVersion: row.policyVersion,
    digest,
    presets: presetsOf(policy.presets),
    managedGroups: managedGroups.map(({ id }) => groupRecord(policy, id, byGroup.get(id) ?? 0)),
    rules: policy.rules
      .toSorted((a, b) => a.order - b.order)
      .map((it) => ruleRecord(it, byRule.get(`rule:${it.id}`) ?? 0)),
    removedRules: policy.removedRules.map((it) => ruleRecord(it, byRule.get(`rule:${it.id}`) ?? 0)),
    exceptions: await exceptionRecords(read, row, active, isoOf(now)),
    positive: policy.positive,
    ...(await deps.enforcement.stateOf(read, row, policy, now)),
    approvals: { required: row.approvalsRequired, approversMin: row.approversMin },
    pendingApprovals: await openApprovals(read, row, isoOf(now)),
  }
}
