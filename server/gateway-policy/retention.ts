/** How long what gateways recorded is kept. */
import { and, asc, eq, inArray, lt, or } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import { removeWhere } from '../../db/remove-where.ts'
import { environments, gatewayEventIds, gatewaySeen, securityCounts, securityEvents } from '../../db/tables.gen.ts'
import { inParts } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Events of an environment are kept for 30 days, the newest million of them. */
export const keepEventsMs = 30 * dayMs
export const mostEvents = 1_000_000
/** Calls by day, for as long as coverage looks back. */
const keepSeenMs = 92 * dayMs
const keepMinutesMs = 2 * dayMs
// What was not answered is sent again within a moment.
const keepIdsMs = 2 * hourMs

/** So many rows leave in one transaction: others that write wait for one of them only. */
const rowsAtOnce = 2000

type Place = Pick<typeof environments.$inferSelect, 'id' | 'tenantId'>

/** Removes the oldest events of an environment, those before an instant or, without one, some; answers how many. */
async function removeOldest(deps: Deps, { id, tenantId }: Place, before: string | null, most: number): Promise<number> {
  const mine = and(eq(securityEvents.environmentId, id), before === null ? undefined : lt(securityEvents.at, before))
  return deps.db.inTransaction(async (tx) => {
    const rows = await tx
      .select({ id: securityEvents.id })
      .from(securityEvents)
      .where(inTenant(securityEvents, tenantId, mine))
      .orderBy(asc(securityEvents.at), asc(securityEvents.id))
      .limit(Math.min(most, rowsAtOnce))
    const ids = rows.map((row) => row.id)
    for (const part of inParts(ids))
      await tx
        .delete(securityEvents)
        .where(
          inTenant(
            securityEvents,
            tenantId,
            and(eq(securityEvents.environmentId, id), inArray(securityEvents.id, part)),
          ),
        )
    return ids.length
  })
}

/**
 * Removes events that are too old or too many, calls and counts that are too old, and ids that are not needed any more.
 * @param most how many events an environment keeps
 */
export async function removeOldRecords(deps: Deps, signal: AbortSignal, most: number = mostEvents): Promise<void> {
  const now = deps.clock.now()
  const all = await deps.db.read.select({ id: environments.id, tenantId: environments.tenantId }).from(environments)
  for (const place of all) {
    const before = isoOf(now - keepEventsMs)
    while (!signal.aborted && (await removeOldest(deps, place, before, rowsAtOnce)) === rowsAtOnce);
    const kept = await deps.db.read.$count(
      securityEvents,
      inTenant(securityEvents, place.tenantId, eq(securityEvents.environmentId, place.id)),
    )
    for (let over = kept - most; over > 0 && !signal.aborted;)
      over -= Math.max(1, await removeOldest(deps, place, null, over))
  }
  const isOldMinute = and(eq(securityCounts.span, 'minute'), lt(securityCounts.at, isoOf(now - keepMinutesMs)))
  await removeWhere(deps.db, securityCounts, or(isOldMinute, lt(securityCounts.at, isoOf(now - keepEventsMs))))
  await removeWhere(deps.db, gatewaySeen, lt(gatewaySeen.day, isoOf(now - keepSeenMs).slice(0, 10)))
  await removeWhere(deps.db, gatewayEventIds, lt(gatewayEventIds.receivedAt, isoOf(now - keepIdsMs)))
}
