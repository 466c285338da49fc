import { and, inArray, lt } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import type { Database } from '../../db/database.ts'
import { removeWhere } from '../../db/remove-where.ts'
import { webhookDeliveries } from '../../db/tables.gen.ts'

const dayMs = 24 * 3_600_000
/** Each takes its attempts with it. */
const deliveriesAtOnce = 100

/**
 * Removes deliveries with their attempts: 30 days after they ended, dead letters after 90.
 * @param now milliseconds since the epoch
 */
export async function sweepDeliveries(db: Database, now: number): Promise<void> {
  const olderThan = (days: number) => lt(webhookDeliveries.updatedAt, isoOf(now - days * dayMs))
  const has = (...statuses: ('delivered' | 'cancelled' | 'dead_letter')[]) =>
    inArray(webhookDeliveries.status, statuses)
  await removeWhere(db, webhookDeliveries, and(has('delivered', 'cancelled'), olderThan(30)), deliveriesAtOnce)
  await removeWhere(db, webhookDeliveries, and(has('dead_letter'), olderThan(90)), deliveriesAtOnce)
}
