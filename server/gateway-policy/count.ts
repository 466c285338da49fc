/** How often rules and exceptions applied, from what gateways recorded. */
import { and, desc, eq, gte, inArray, sum } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { securityCounts, securityEvents } from '../../db/tables.gen.ts'
import type { EventMatch } from '../../src/gateway-policy/event.ts'
import { covers } from '../../src/gateway-policy/exception-check.ts'
import type { Exception } from '../../src/gateway-policy/model.ts'
import type { EnvironmentRow } from './store.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The events that one answer counts at most: the newest ones. */
const mostCounted = 20_000

interface Counted {
  readonly at: string
  readonly count: number
  readonly method: string | null
  readonly route: string | null
  readonly matches: readonly EventMatch[]
}

const countedSince = async (read: Reader, { id, tenantId }: EnvironmentRow, since: string): Promise<Counted[]> =>
  read
    .select({
      at: securityEvents.at,
      count: securityEvents.count,
      method: securityEvents.method,
      route: securityEvents.route,
      matches: securityEvents.matches,
    })
    .from(securityEvents)
    .where(inTenant(securityEvents, tenantId, and(eq(securityEvents.environmentId, id), gte(securityEvents.at, since))))
    .orderBy(desc(securityEvents.at))
    .limit(mostCounted)

/** Requests of the last 24 hours, in whole hours, by rule ("rule:ID", "crs:942100") and by group. */
export async function dayCounts(read: Reader, { id, tenantId }: EnvironmentRow, now: number) {
  const since = isoOf(Math.floor((now - dayMs) / hourMs) * hourMs)
  const mine = and(
    eq(securityCounts.environmentId, id),
    eq(securityCounts.span, 'hour'),
    gte(securityCounts.at, since),
    inArray(securityCounts.kind, ['rule', 'group']),
  )
  const rows = await read
    .select({ kind: securityCounts.kind, ref: securityCounts.ref, n: sum(securityCounts.count) })
    .from(securityCounts)
    .where(inTenant(securityCounts, tenantId, mine))
    .groupBy(securityCounts.kind, securityCounts.ref)
  const byKind = (kind: string) =>
    new Map(rows.filter((it) => it.kind === kind).map(({ ref, n }) => [ref, Number(n ?? 0)]))
  return { byRule: byKind('rule'), byGroup: byKind('group') }
}

/** Requests that exceptions let through while they were active, by exception. */
async function exemptCounts(read: Reader, { id, tenantId }: EnvironmentRow): Promise<Map<string, number>> {
  const mine = and(
    eq(securityCounts.environmentId, id),
    eq(securityCounts.span, 'hour'),
    eq(securityCounts.kind, 'exception'),
  )
  const rows = await read
    .select({ ref: securityCounts.ref, n: sum(securityCounts.count) })
    .from(securityCounts)
    .where(inTenant(securityCounts, tenantId, mine))
    .groupBy(securityCounts.ref)
  return new Map(rows.map(({ ref, n }) => [ref, Number(n ?? 0)]))
}

/** Whether an exception would have covered a match of the event. */
const wouldCover = (exception: Exception, counted: Counted): boolean =>
  counted.matches.some(
    ({ ruleRef, groupId, field }) =>
      covers(exception, {
        ruleRef,
        groupId,
        field,
        ...(counted.method === null ? {} : { method: counted.method }),
        ...(counted.route === null ? {} : { route: counted.route }),
      }) === true,
  )

const endOf = (it: Exception): string =>
  it.removedAt !== null && it.removedAt < it.expiresAt ? it.removedAt : it.expiresAt

/** What exceptions let through while they were active, and would have let through since their end. */
export async function exceptionCounts(
  read: Reader,
  row: EnvironmentRow,
  exceptions: readonly Exception[],
  now: number,
) {
  // Only those that ended are asked what they would have covered since.
  const ends = exceptions.map(endOf).filter((end) => end <= isoOf(now))
  const first = ends.toSorted()[0]
  const events = first === undefined ? [] : await countedSince(read, row, first)
  const exempt = exceptions.length === 0 ? new Map<string, number>() : await exemptCounts(read, row)
  const total = (list: readonly Counted[]): number => list.reduce((all, { count }) => all + count, 0)
  return new Map(
    exceptions.map((exception) => {
      const end = endOf(exception)
      return [
        exception.id,
        {
          active: exempt.get(exception.id) ?? 0,
          sinceExpiry: total(events.filter((event) => event.at >= end && wouldCover(exception, event))),
        },
      ] as const
    }),
  )
}
