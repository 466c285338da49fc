import { and, inArray, lt } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import type { Transaction } from '../../db/database.ts'
import { webhookDeliveries } from '../../db/tables.gen.ts'

const dayMs = 24 * 3_600_000

/**
 * Removes deliveries with their attempts: 30 days after they ended, dead letters after 90.
 * @param now milliseconds since the epoch
 */
export async function sweepDeliveries(tx: Transaction, now: number): Promise<void> {
  const olderThan = (days: number) => lt(webhookDeliveries.updatedAt, isoOf(now - days * dayMs))
  const has = (...statuses: ('delivered' | 'cancelled' | 'dead_letter')[]) =>
    inArray(webhookDeliveries.status, statuses)
  await tx.delete(webhookDeliveries).where(and(has('delivered', 'cancelled'), olderThan(30)))
  await tx.delete(webhookDeliveries).where(and(has('dead_letter'), olderThan(90)))
}
