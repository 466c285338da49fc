/** Inserts rows again that were kept when they were deleted. */
import { and, asc, eq, getTableColumns, getTableName, inArray, isNull } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { allTables, cellsPerStatement, primaryKeyOf } from '../backup/copy-rows.ts'
import { inTenant, type TenantTable } from '../conditions.ts'
import type { Transaction } from '../database.ts'
import { binParts } from '../tables/bin.ts'
import { tenants } from '../tables/tenants.ts'
import { yieldToEventLoop } from '../yield.ts'
import { allReferences, placeOf, propertyOf, type Reference } from './closure.ts'
import { decode, type BinEntryRow, type Part, type StoredRow } from './keep.ts'

/** Says what is inserted of a table in place of its rows. */
export type Adjust = (table: PgTable, rows: readonly StoredRow[]) => Promise<readonly StoredRow[]>

const tableNamed = (name: string): TenantTable | undefined =>
  allTables.find((it) => getTableName(it) === name) as TenantTable | undefined

function rowsOf(table: PgTable, part: Part): StoredRow[] {
  const columns = getTableColumns(table)
  const known = part.columns.flatMap((name, index) => {
    const property = Object.keys(columns).find((it) => columns[it]?.name === name)
    // A column that a later version of the program does not have any more is left out.
    return property === undefined ? [] : [{ property, column: columns[property] as PgColumn, index }]
  })
  return part.rows.map((cells) =>
    Object.fromEntries(known.map(({ property, column, index }) => [property, decode(column, cells[index])])),
  )
}

/** Rows whose references find their rows; what was set to null at a deletion is null again, other rows are left out. */
async function withoutDangling(
  tx: Transaction,
  rows: readonly StoredRow[],
  references: readonly Reference[],
): Promise<readonly StoredRow[]> {
  let left = rows
  for (const { property, to, onDelete } of references) {
    const column = (to as unknown as Record<string, PgColumn>)['id'] as PgColumn
    const wanted = [...new Set(left.flatMap((row) => (row[property] as string | null) ?? []))]
    const found = new Set<unknown>()
    for (let at = 0; at < wanted.length; at += 200)
      for (const { id } of await tx
        .select({ id: column })
        .from(to)
        .where(inArray(column, wanted.slice(at, at + 200))))
        found.add(id)
    const isMissing = (row: StoredRow): boolean => row[property] !== null && !found.has(row[property])
    left =
      onDelete === 'set null'
        ? left.map((row) => (isMissing(row) ? { ...row, [property]: null } : row))
        : left.filter((row) => !isMissing(row))
  }
  return left
}

async function insert(tx: Transaction, table: PgTable, rows: readonly StoredRow[]): Promise<void> {
  const most = Math.max(1, Math.min(200, Math.floor(cellsPerStatement / Object.keys(getTableColumns(table)).length)))
  for (let at = 0; at < rows.length; at += most) {
    await tx.insert(table).values(rows.slice(at, at + most))
    await yieldToEventLoop()
  }
}

/** Sets again what the deletion set to null, where the row is still there and nothing else was set since. */
async function link(tx: Transaction, tenantId: string, table: TenantTable, part: Part): Promise<void> {
  const property = propertyOf(table, part.columns.at(-1) ?? '')
  const columns = getTableColumns(table)
  const column = columns[property] as PgColumn
  const keys = primaryKeyOf(table)
  for (const [value, rows] of Map.groupBy(rowsOf(table, part), (row) => row[property]))
    for (let at = 0; at < rows.length; at += 200) {
      const some = rows.slice(at, at + 200)
      const [name, key] = keys[0] as [string, PgColumn]
      const which =
        keys.length === 1
          ? [
              inArray(
                key,
                some.map((row) => row[name]),
              ),
            ]
          : some.map((row) => and(...keys.map(([one, its]) => eq(its, row[one]))))
      for (const one of which)
        await tx
          .update(table)
          .set({ [property]: value })
          .where(inTenant(table, tenantId, one, isNull(column)))
    }
}

/**
 * Inserts what an entry holds, each table after those that it refers to. Rows that refer to what was deleted since are left out.
 * @throws what the database says of a key that is taken (`isUniqueViolation`)
 */
export async function bringBack(tx: Transaction, entry: BinEntryRow, adjust: Adjust): Promise<void> {
  const { id, tenantId } = entry
  const own = inTenant(binParts, tenantId, eq(binParts.entryId, id))
  const list = await tx
    .select({ ordinal: binParts.ordinal, tableName: binParts.tableName, holds: binParts.holds })
    .from(binParts)
    .where(own)
    .orderBy(asc(binParts.ordinal))
  const kept = new Set(list.filter(({ holds }) => holds === 'rows').map(({ tableName }) => tableName))
  // Rows leave from the leaves up, and the row that all others refer to is kept first: they come back in the order of the tables.
  const rank = ({ tableName, holds }: (typeof list)[number]): number =>
    holds === 'links' ? Number.MAX_SAFE_INTEGER : placeOf(tableName)
  for (const { ordinal, tableName, holds } of list.toSorted((a, b) => rank(a) - rank(b) || a.ordinal - b.ordinal)) {
    const table = tableNamed(tableName)
    const [stored] = await tx
      .select({ compressed: binParts.compressed })
      .from(binParts)
      .where(and(own, eq(binParts.ordinal, ordinal)))
    if (table === undefined || stored === undefined) continue
    const text = new TextDecoder().decode(await Bun.zstdDecompress(new Uint8Array(stored.compressed)))
    const part = JSON.parse(text) as Part
    if (holds === 'links') {
      await link(tx, tenantId, table, part)
      continue
    }
    const outside = allReferences().filter(
      (it) => it.table === table && it.to !== tenants && !kept.has(getTableName(it.to)),
    )
    const rows = await withoutDangling(tx, rowsOf(table, part), outside)
    await insert(tx, table, await adjust(table, rows))
  }
}
