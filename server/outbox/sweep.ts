import { and, eq, exists, lt, not, notInArray, sql } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import type { Database } from '../../db/database.ts'
import { removeWhere } from '../../db/remove-where.ts'
import { outboxEvents, outboxTasks } from '../../db/tables.gen.ts'
import { declaredReaders } from './readers.ts'

/** How long an event is kept at least. */
const keepMs = 30 * 24 * 3_600_000

/**
 * Removes events that are 30 days old and that no reader still has to work on. A task of a reader that this program does
 * not have keeps its event no longer than that.
 * @param now milliseconds since the epoch
 */
export async function sweepOutbox(
  db: Database,
  now: number,
  readers: readonly { readonly name: string }[] = declaredReaders,
): Promise<void> {
  const isOld = lt(outboxEvents.createdAt, isoOf(now - keepMs))
  const names = readers.map(({ name }) => name)
  const task = db.read
    .select({ one: sql`1` })
    .from(outboxTasks)
    .where(eq(outboxTasks.eventId, outboxEvents.id))
  const oldEvent = db.read
    .select({ one: sql`1` })
    .from(outboxEvents)
    .where(and(eq(outboxEvents.id, outboxTasks.eventId), isOld))
  const isUnknown = names.length === 0 ? undefined : notInArray(outboxTasks.reader, names)
  await removeWhere(db, outboxTasks, and(isUnknown, exists(oldEvent)))
  await removeWhere(db, outboxEvents, and(isOld, not(exists(task))))
}
