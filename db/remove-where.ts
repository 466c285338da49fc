/** Deletes rows without keeping other writers waiting for all of them. */
import { and, eq, inArray, or, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { primaryKeyOf } from './backup/copy-rows.ts'
import { padded } from './conditions.ts'
import type { Database } from './database.ts'

/** The rows with these primary keys. */
export function withKeys(table: PgTable, rows: readonly Readonly<Record<string, unknown>>[]): SQL {
  const keys = primaryKeyOf(table)
  const [property, column] = keys.at(-1) as [string, PgColumn]
  const others = keys.slice(0, -1)
  const groups = Map.groupBy(rows, (row) => JSON.stringify(others.map(([name]) => row[name])))
  const conditions = [...groups.values()].map((some) =>
    and(
      ...others.map(([name, its]) => eq(its, some[0]?.[name])),
      inArray(column, padded(some.map((row) => row[property]))),
    ),
  )
  return or(...conditions) as SQL
}

const rowsAtOnce = 500

/**
 * Deletes the rows that fit a condition, some hundred in each transaction.
 * @param most rows in a transaction: fewer where much vanishes with each
 * @returns how many were deleted
 */
export async function removeWhere(
  db: Database,
  table: PgTable,
  where: SQL | undefined,
  most: number = rowsAtOnce,
): Promise<number> {
  const keys = Object.fromEntries(primaryKeyOf(table))
  for (let removed = 0; ;) {
    const count = await db.inTransaction(async (tx) => {
      const rows = await tx.select(keys).from(table).where(where).limit(most)
      if (rows.length > 0) await tx.delete(table).where(withKeys(table, rows))
      return rows.length
    })
    removed += count
    if (count < most) return removed
  }
}
