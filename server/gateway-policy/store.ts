/** Rows of environments and policies, and the audit trail. */
import { and, desc, eq, gte, inArray, or } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { environments, securityEvents, securityPolicies } from '../../db/tables.gen.ts'
import type { GroupId } from '../../src/gateway-policy/catalogue.ts'
import type { EventAction, RecordedEvent } from '../../src/gateway-policy/event.ts'
import type { Policy } from '../../src/gateway-policy/model.ts'
import { mostReplayed, Replaying, type Replay } from '../../src/gateway-policy/replay.ts'
import { SvcError } from '../../src/errors.ts'
import { type ChainedAuditEntry, recordAudit } from '../auth/door.ts'
import { Guard } from '../bounds/door.ts'
import { boundVersion } from './bound.ts'

export type EnvironmentRow = typeof environments.$inferSelect
export type EventRow = typeof securityEvents.$inferSelect

/** What is asked by everything that changes an environment or its policy. */
export const lockOf = (environmentId: string): string => `gateway:${environmentId}`

/**
 * An environment by id or slug.
 * @throws SvcError `environment-not-found`
 */
export async function findEnvironment(read: Reader, tenantId: string, ref: string): Promise<EnvironmentRow> {
  const [row] = await read
    .select()
    .from(environments)
    .where(inTenant(environments, tenantId, or(eq(environments.id, ref), eq(environments.slug, ref))))
  if (row === undefined) throw new SvcError('environment-not-found', { environment: ref })
  return row
}

/** The same, held until the end of the transaction: what it says stays true. */
export async function lockEnvironment(tx: Transaction, tenantId: string, ref: string): Promise<EnvironmentRow> {
  const { id } = await findEnvironment(tx, tenantId, ref)
  await tx.lock(lockOf(id))
  return findEnvironment(tx, tenantId, id)
}

/**
 * A version of the policy of an environment.
 * @throws SvcError `security-version-not-found`
 */
export async function readPolicy(read: Reader, { id, tenantId }: EnvironmentRow, version: number) {
  const [row] = await read
    .select()
    .from(securityPolicies)
    .where(
      inTenant(
        securityPolicies,
        tenantId,
        eq(securityPolicies.environmentId, id),
        eq(securityPolicies.version, version),
      ),
    )
  if (row === undefined) throw new SvcError('security-version-not-found', { version })
  return row
}

/**
 * Adds to the audit trail of an environment that the transaction holds (`lockEnvironment`).
 * @returns the environment with the new head of its chain
 */
export async function appendAudit(
  tx: Transaction,
  row: EnvironmentRow,
  entry: Omit<ChainedAuditEntry, 'tenantId' | 'chain'>,
): Promise<EnvironmentRow> {
  const { id: environmentId, tenantId, auditCount, auditHash } = row
  const chain = { environmentId, count: auditCount, hash: auditHash }
  const { count, hash } = await recordAudit(tx, { ...entry, tenantId, chain })
  const head = { auditCount: count, auditHash: hash }
  await tx
    .update(environments)
    .set(head)
    .where(inTenant(environments, tenantId, eq(environments.id, environmentId)))
  return { ...row, ...head }
}

/** What of an event a preview reads. */
const replayed = {
  id: securityEvents.id,
  at: securityEvents.at,
  action: securityEvents.action,
  ruleRef: securityEvents.ruleRef,
  groupId: securityEvents.groupId,
  method: securityEvents.method,
  route: securityEvents.route,
  status: securityEvents.status,
  count: securityEvents.count,
  network: securityEvents.network,
  country: securityEvents.country,
  score: securityEvents.score,
  matches: securityEvents.matches,
  exceptionIds: securityEvents.exceptionIds,
  policyVersion: securityEvents.policyVersion,
  documentId: securityEvents.documentId,
} as const

const weekMs = 7 * 24 * 3_600_000

/** The events that previews look at: the newest 10,000 of the last 7 days. */
export async function recentEvents(
  read: Reader,
  { id, tenantId }: EnvironmentRow,
  now: number,
): Promise<RecordedEvent[]> {
  const rows = await read
    .select(replayed)
    .from(securityEvents)
    .where(
      inTenant(
        securityEvents,
        tenantId,
        and(eq(securityEvents.environmentId, id), gte(securityEvents.at, isoOf(now - weekMs))),
      ),
    )
    .orderBy(desc(securityEvents.at), desc(securityEvents.id))
    .limit(mostReplayed)
  return rows.map((row) => ({ ...row, action: row.action as EventAction, groupId: row.groupId as GroupId | null }))
}

/** What the patterns of all rules may take on one event: some 20 ms. */
export const stepsOfEvent = 2_000_000

/** How many versions a preview reads at most: events of older ones are unknown. */
const mostVersions = 50

/** What a candidate would have done to recorded events, beside what the policy in force does to them. */
export async function previewOf(read: Reader, row: EnvironmentRow, candidate: Policy, now: number): Promise<Replay> {
  const events = await recentEvents(read, row, now)
  const { policy } = await readPolicy(read, row, row.policyVersion)
  const versions = [...new Set(events.flatMap(({ policyVersion }) => policyVersion ?? []))].slice(0, mostVersions)
  const stored =
    versions.length === 0
      ? []
      : await read
          .select({ version: securityPolicies.version, policy: securityPolicies.policy })
          .from(securityPolicies)
          .where(
            inTenant(
              securityPolicies,
              row.tenantId,
              eq(securityPolicies.environmentId, row.id),
              inArray(securityPolicies.version, versions),
            ),
          )
  const policies = new Map(stored.map(({ version, policy }) => [version, policy]))
  const bound = await boundVersion(read, row.tenantId, candidate.positive)
  const boundNow = await boundVersion(read, row.tenantId, policy.positive)
  const inForce = { policy, version: row.policyVersion, documentId: boundNow?.id ?? null }
  const replaying = new Replaying(candidate, policies, isoOf(now), bound?.id ?? null, inForce)
  const guard = new Guard('gateway-preview')
  await guard.each(
    events,
    () => candidate.rules.length + policy.rules.length,
    (event) => guard.within(stepsOfEvent, (steps) => replaying.take(event, steps)),
  )
  return replaying.result()
}
