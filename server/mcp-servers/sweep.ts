import { and, eq, lt } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import type { Database } from '../../db/database.ts'
import { removeWhere } from '../../db/remove-where.ts'
import { mcpObservations } from '../../db/tables.gen.ts'

const dayMs = 24 * 3_600_000

/**
 * Removes observations that found nothing new after 90 days. Those that found another surface are the history of a server, and are
 * kept as long as it is.
 * @param now milliseconds since the epoch
 */
export async function sweepObservations(db: Database, now: number): Promise<void> {
  const isOld = lt(mcpObservations.at, isoOf(now - 90 * dayMs))
  await removeWhere(db, mcpObservations, and(isOld, eq(mcpObservations.changed, false)))
}
