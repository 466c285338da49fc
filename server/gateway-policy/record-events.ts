/** Writes recorded events: each id once, requests that are alike in one row, and how many there were. */
import { createHash } from 'node:crypto'
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { gatewayEventIds, securityCounts, securityEvents } from '../../db/tables.gen.ts'
import { inParts } from '../auth/door.ts'
import type { EnvironmentRow, EventRow } from './store.ts'

type Place = Pick<EnvironmentRow, 'id' | 'tenantId'>

/** Which of the ids were stored before, as rows or as part of one. */
export async function knownIds(tx: Transaction, { id, tenantId }: Place, ids: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (const table of [securityEvents, gatewayEventIds])
    for (const part of inParts(ids)) {
      const mine = inTenant(table, tenantId, and(eq(table.environmentId, id), inArray(table.id, part)))
      for (const row of await tx.select({ id: table.id }).from(table).where(mine)) known.add(row.id)
    }
  return known
}

const minuteOf = (at: string): string => `${at.slice(0, 16)}:00.000Z`
const hourOf = (at: string): string => `${at.slice(0, 13)}:00:00.000Z`

/**
 * What two requests have in common that share a row: all that decides about them, and the minute. Values do not decide: of them the row
 * has the first ones.
 */
export function likenessOf(row: EventRow): string {
  const matches = row.matches
    .map(({ ruleRef, groupId, paranoia, severity, field }) =>
      JSON.stringify([ruleRef, groupId, paranoia, severity, field]),
    )
    .sort()
  const { enforcerId, releaseId, action, ruleRef, method, route, pathShape, network, status, score } = row
  const parts = [
    minuteOf(row.at),
    [enforcerId, releaseId, action, ruleRef, method, route, pathShape, network, status],
    score === null ? null : [score.inbound, score.threshold, score.detection],
    matches,
    [...row.exceptionIds].sort(),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** Rows that are alike as one, in the order of the first of each. */
export function merged(rows: readonly EventRow[]): EventRow[] {
  const byLikeness = new Map<string, EventRow>()
  for (const row of rows) {
    const key = row.likeness ?? row.id
    const known = byLikeness.get(key)
    byLikeness.set(
      key,
      known === undefined
        ? row
        : {
            ...known,
            count: known.count + row.count,
            firstAt: row.firstAt < known.firstAt ? row.firstAt : known.firstAt,
            lastAt: row.lastAt > known.lastAt ? row.lastAt : known.lastAt,
            clientDigest: known.clientDigest === row.clientDigest ? known.clientDigest : null,
          },
    )
  }
  return [...byLikeness.values()]
}

/** Which of these have a row already. */
export async function knownLikenesses(
  tx: Transaction,
  { id, tenantId }: Place,
  likenesses: readonly string[],
): Promise<Set<string>> {
  const known = new Set<string>()
  for (const part of inParts(likenesses)) {
    const mine = and(
      eq(securityEvents.environmentId, id),
      isNotNull(securityEvents.likeness),
      inArray(securityEvents.likeness, part),
    )
    const rows = await tx
      .select({ likeness: securityEvents.likeness })
      .from(securityEvents)
      .where(inTenant(securityEvents, tenantId, mine))
    for (const { likeness } of rows) if (likeness !== null) known.add(likeness)
  }
  return known
}

/** Stores rows; one whose likeness has a row adds to it. */
export async function addRows(tx: Transaction, rows: readonly EventRow[]): Promise<void> {
  const { count, firstAt, lastAt, clientDigest } = securityEvents
  for (const part of inParts(rows, 50))
    await tx
      .insert(securityEvents)
      .values(part)
      .onConflictDoUpdate({
        target: [securityEvents.environmentId, securityEvents.likeness],
        set: {
          count: sql`${count} + excluded.count`,
          firstAt: sql`case when excluded.first_at < ${firstAt} then excluded.first_at else ${firstAt} end`,
          lastAt: sql`case when excluded.last_at > ${lastAt} then excluded.last_at else ${lastAt} end`,
          clientDigest: sql`case when excluded.client_digest = ${clientDigest} then ${clientDigest} end`,
        },
      })
}

/** Remembers ids of lines, so that what is sent again is not counted twice. */
export async function rememberIds(tx: Transaction, { id, tenantId }: Place, ids: readonly string[], at: string) {
  for (const part of inParts(ids))
    await tx
      .insert(gatewayEventIds)
      .values(part.map((it) => ({ environmentId: id, id: it, tenantId, receivedAt: at })))
      .onConflictDoNothing()
}

type Counted = Pick<EventRow, 'at' | 'count' | 'action' | 'ruleRef' | 'groupId' | 'matches' | 'exceptionIds'>
type CountRow = typeof securityCounts.$inferSelect

/** Counts requests by minute and hour: by what became of them, and by what applied. */
export async function addCounts(
  tx: Transaction,
  { id, tenantId }: Place,
  events: readonly Counted[],
  throttled: readonly Counted[] = [],
): Promise<void> {
  const rows = new Map<string, CountRow>()
  const add = (span: CountRow['span'], at: string, kind: CountRow['kind'], ref: string, count: number): void => {
    const key = [span, at, kind, ref].join('\n')
    const known = rows.get(key)
    rows.set(key, { environmentId: id, span, at, kind, ref, tenantId, count: count + (known?.count ?? 0) })
  }
  for (const it of events) {
    const [minute, hour] = [minuteOf(it.at), hourOf(it.at)]
    add('minute', minute, 'action', it.action, it.count)
    add('hour', hour, 'action', it.action, it.count)
    for (const ref of new Set([it.ruleRef, ...it.matches.map(({ ruleRef }) => ruleRef)]))
      add('hour', hour, 'rule', ref, it.count)
    for (const group of new Set([it.groupId, ...it.matches.map(({ groupId }) => groupId)]))
      if (group !== null) add('hour', hour, 'group', group, it.count)
    for (const exception of new Set(it.exceptionIds)) add('hour', hour, 'exception', exception, it.count)
  }
  for (const it of throttled) add('hour', hourOf(it.at), 'throttled', it.action, it.count)
  for (const part of inParts([...rows.values()], 200))
    await tx
      .insert(securityCounts)
      .values(part)
      .onConflictDoUpdate({
        target: [
          securityCounts.environmentId,
          securityCounts.span,
          securityCounts.at,
          securityCounts.kind,
          securityCounts.ref,
        ],
        set: { count: sql`${securityCounts.count} + excluded.count` },
      })
}
