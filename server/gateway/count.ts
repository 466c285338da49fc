/** How often rules and exceptions applied, from what gateways recorded. */
import { and, eq, gte } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { securityEvents } from '../../db/tables.gen.ts'
import type { EventMatch } from '../../src/gateway/policy/event.ts'
import { covers } from '../../src/gateway/policy/exception-check.ts'
import type { Exception } from '../../src/gateway/policy/model.ts'
import type { EnvironmentRow } from './store.ts'

const dayMs = 24 * 3_600_000
/** The events that one answer counts at most: the newest ones. */
const mostCounted = 20_000

interface Counted {
  readonly at: string
  readonly count: number
  readonly method: string | null
  readonly route: string | null
  readonly ruleRef: string
  readonly groupId: string | null
  readonly matches: readonly EventMatch[]
  readonly exceptionIds: readonly string[]
}

const countedSince = async (read: Reader, { id, tenantId }: EnvironmentRow, since: string): Promise<Counted[]> =>
  read
    .select({
      at: securityEvents.at,
      count: securityEvents.count,
      method: securityEvents.method,
      route: securityEvents.route,
      ruleRef: securityEvents.ruleRef,
      groupId: securityEvents.groupId,
      matches: securityEvents.matches,
      exceptionIds: securityEvents.exceptionIds,
    })
    .from(securityEvents)
    .where(inTenant(securityEvents, tenantId, and(eq(securityEvents.environmentId, id), gte(securityEvents.at, since))))
    .limit(mostCounted)

/** Requests of the last 24 hours by rule ("rule:ID", "crs:942100") and by group. */
export async function dayCounts(read: Reader, row: EnvironmentRow, now: number) {
  const byRule = new Map<string, number>()
  const byGroup = new Map<string, number>()
  for (const it of await countedSince(read, row, isoOf(now - dayMs))) {
    const rules = new Set([it.ruleRef, ...it.matches.map(({ ruleRef }) => ruleRef)])
    const groups = new Set([it.groupId, ...it.matches.map(({ groupId }) => groupId)])
    for (const ref of rules) byRule.set(ref, (byRule.get(ref) ?? 0) + it.count)
    for (const id of groups) if (id !== null) byGroup.set(id, (byGroup.get(id) ?? 0) + it.count)
  }
  return { byRule, byGroup }
}

/** Whether an exception would have covered a match of the event. */
const wouldCover = (exception: Exception, it: Counted): boolean =>
  it.matches.some(
    ({ ruleRef, groupId, field }) =>
      covers(exception, {
        ruleRef,
        groupId,
        field,
        ...(it.method === null ? {} : { method: it.method }),
        ...(it.route === null ? {} : { route: it.route }),
      }) === true,
  )

/** What exceptions let through while they were active, and would have let through since their end. */
export async function exceptionCounts(read: Reader, row: EnvironmentRow, exceptions: readonly Exception[]) {
  const first = exceptions.map(({ createdAt }) => createdAt).toSorted()[0]
  const events = first === undefined ? [] : await countedSince(read, row, first)
  const sum = (list: readonly Counted[]): number => list.reduce((total, { count }) => total + count, 0)
  return new Map(
    exceptions.map((it) => {
      const end = it.removedAt !== null && it.removedAt < it.expiresAt ? it.removedAt : it.expiresAt
      return [
        it.id,
        {
          active: sum(events.filter(({ exceptionIds }) => exceptionIds.includes(it.id))),
          sinceExpiry: sum(events.filter((event) => event.at >= end && wouldCover(it, event))),
        },
      ] as const
    }),
  )
}
