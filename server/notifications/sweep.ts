import { isNotNull, and, lt, or } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import type { Database } from '../../db/database.ts'
import { removeWhere } from '../../db/remove-where.ts'
import { notifications } from '../../db/tables.gen.ts'

const dayMs = 24 * 3_600_000
const keepReadMs = 180 * dayMs
const keepUnreadMs = 365 * dayMs

/**
 * Removes notifications that are a year old, and those that were read and are 180 days old.
 * @param now milliseconds since the epoch
 */
export async function sweepNotifications(db: Database, now: number): Promise<void> {
  const isReadAndOld = and(lt(notifications.createdAt, isoOf(now - keepReadMs)), isNotNull(notifications.readAt))
  await removeWhere(db, notifications, or(isReadAndOld, lt(notifications.createdAt, isoOf(now - keepUnreadMs))))
}
