/** How many requests gateways recorded over time. */
import { and, asc, eq, gte, inArray, lt } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import { securityCounts } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { findEnvironment } from './store.ts'

const spans = {
  minute: { ms: 60_000, usual: 2 * 60, most: 12 * 60 },
  hour: { ms: 3_600_000, usual: 24, most: 31 * 24 },
} as const

export interface TimelineRequest {
  readonly span?: 'minute' | 'hour' | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/**
 * Counts of requests by what became of them, in minutes or hours; those without any are left out.
 * @throws SvcError `environment-not-found`, `request-malformed` for a range that is too long
 */
export async function eventCounts(deps: Deps, grant: Grant, ref: string, { span = 'hour', ...asked }: TimelineRequest) {
  const { read } = deps.db
  const row = await findEnvironment(read, tenantOf(grant).id, ref)
  const { ms, usual, most } = spans[span]
  const down = (at: number): number => Math.floor(at / ms) * ms
  const end = down((asked.to === undefined ? deps.clock.now() : Date.parse(asked.to)) - 1) + ms
  const begin = asked.from === undefined ? end - usual * ms : down(Date.parse(asked.from))
  if (begin >= end) throw new SvcError('request-malformed', { reason: '"from" is not before "to"' })
  if ((end - begin) / ms > most)
    throw new SvcError('request-malformed', { reason: `a range has at most ${most} ${span}s` })
  const mine = and(
    eq(securityCounts.environmentId, row.id),
    eq(securityCounts.span, span),
    gte(securityCounts.at, isoOf(begin)),
    lt(securityCounts.at, isoOf(end)),
    inArray(securityCounts.kind, ['action', 'throttled']),
  )
  const rows = await read
    .select({ at: securityCounts.at, kind: securityCounts.kind, ref: securityCounts.ref, count: securityCounts.count })
    .from(securityCounts)
    .where(inTenant(securityCounts, row.tenantId, mine))
    .orderBy(asc(securityCounts.at), asc(securityCounts.ref))
  const counted = rows.filter(({ kind }) => kind === 'action')
  const buckets = [...Map.groupBy(counted, ({ at }) => at)].map(([at, list]) => ({
    at,
    counts: Object.fromEntries(list.map((it) => [it.ref, it.count])),
  }))
  const total = (list: typeof rows): number => list.reduce((sum, { count }) => sum + count, 0)
  return {
    span,
    from: isoOf(begin),
    to: isoOf(end),
    buckets,
    total: total(counted),
    withoutEvent: total(rows.filter(({ kind }) => kind === 'throttled')),
  }
}
