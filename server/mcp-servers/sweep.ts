import { and, eq, lt } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import type { Transaction } from '../../db/database.ts'
import { mcpObservations } from '../../db/tables.gen.ts'

const dayMs = 24 * 3_600_000

/**
 * Removes observations that found nothing new after 90 days. Those that found another surface are the history of a server, and are
 * kept as long as it is.
 * @param now milliseconds since the epoch
 */
export async function sweepObservations(tx: Transaction, now: number): Promise<void> {
  const isOld = lt(mcpObservations.at, isoOf(now - 90 * dayMs))
  await tx.delete(mcpObservations).where(and(isOld, eq(mcpObservations.changed, false)))
}
