/** Policies and their parts as the contract shows them. */
import { and, desc, eq } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { securityApprovals } from '../../db/tables.gen.ts'
import type { SecurityPolicy } from '../../src/api/gateway.ts'
import type { SecurityApproval } from '../../src/api/gateway-record-shapes.ts'
import type { ManagedGroup, SecurityException, SecurityRule } from '../../src/api/gateway-shapes.ts'
import { approvalState } from '../../src/gateway/policy/approval.ts'
import { catalogueDefault, managedGroups, rulesUpTo, type GroupId } from '../../src/gateway/policy/catalogue.ts'
import {
  effectiveMode,
  exceptionState,
  levelsOf,
  type Exception,
  type Policy,
  type Presets,
  type RemovedRule,
  type Rule,
} from '../../src/gateway/policy/model.ts'
import { printExpression } from '../../src/gateway/policy/text.ts'
import { tenantOf } from '../auth/caller.ts'
import type { Grant } from '../auth/grant.ts'
import { describeActors, type Described } from '../auth/people.ts'
import type { Deps } from '../deps.ts'
import { approvalOf, type ApprovalRow } from './change.ts'
import { dayCounts, exceptionCounts } from './count.ts'
import { enforcementOf, releasesIn } from './enforcement.ts'
import { inputsOf } from './lane.ts'
import { laneViewOf } from './lane-view.ts'
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
export const ruleRecord = (it: Rule | RemovedRule, requests: number): SecurityRule => ({
  id: it.id,
  name: it.name,
  enabled: it.enabled,
  action: it.action,
  status: it.status,
  expression: it.expression as Record<string, unknown>,
  expressionText: printExpression(it.expression),
  order: it.order,
  reason: it.reason,
  groups: [...it.groups],
  rate: it.rate,
  version: it.version,
  createdBy: it.createdBy,
  createdAt: it.createdAt,
  removedAt: 'removedAt' in it ? it.removedAt : null,
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
  return exceptions.map((it) => ({
    id: it.id,
    scope: { ...it.scope },
    target: { groups: [...it.target.groups], ruleRefs: [...it.target.ruleRefs] },
    reason: it.reason,
    ticket: it.ticket,
    expiresAt: it.expiresAt,
    state: exceptionState(it, now),
    policyVersion: it.policyVersion,
    hits: counts.get(it.id) ?? { active: 0, sinceExpiry: 0 },
    createdBy: it.createdBy,
    createdAt: it.createdAt,
    removedAt: it.removedAt,
    approvalId: it.approvalId,
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
  return rows.map((it) => {
    const last = it.consents.at(-1)
    const approval = approvalOf(it, row)
    return {
      id: it.id,
      environmentId: it.environmentId,
      changeDigest: it.changeDigest,
      operation: it.operation,
      target: it.target,
      body: it.body,
      summary: [...it.summary],
      risks: [...it.risks],
      preview: it.preview,
      policyVersion: it.policyVersion,
      requestedBy: someone(people, it.requestedBy),
      requestedAt: it.requestedAt,
      expiresAt: it.expiresAt,
      state: approvalState(approval, { now, policyVersion: row.policyVersion }),
      approversMin: approval.approversMin,
      approvals: it.consents.map(({ by, at, note }) => ({ by: someone(people, `user:${by}`), at, note })),
      approvedBy: last === undefined ? null : someone(people, `user:${last.by}`).name,
      note: last === undefined || last.note === '' ? null : last.note,
      usedAt: it.usedAt,
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
export async function showPolicy(deps: Deps, grant: Grant, ref: string): Promise<SecurityPolicy> {
  const { read } = deps.db
  const row = await findEnvironment(read, tenantOf(grant).id, ref)
  const { policy, digest } = await readPolicy(read, row, row.policyVersion)
  const now = deps.clock.now()
  const { byRule, byGroup } = await dayCounts(read, row, now)
  const view = await laneViewOf(read, row)
  const { inputs } = await inputsOf(read, row, policy, isoOf(now))
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
    enforces: enforcementOf({ ...policy, exceptions: active }, view, row, inputs, now),
    releases: releasesIn(view),
    approvals: { required: row.approvalsRequired, approversMin: row.approversMin },
    pendingApprovals: await openApprovals(read, row, isoOf(now)),
  }
}
