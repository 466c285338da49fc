/** Copies every row of every table from one database to another, whatever engines they are. */
import { and, getTableColumns, getTableName, is, type SQL } from 'drizzle-orm'
import { getTableConfig, type PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { after } from '../conditions.ts'
import type { Reader, Transaction } from '../database.ts'
import * as declared from '../tables.gen.ts'

/** Every declared table. */
export const allTables: readonly PgTable[] = [
  ...new Set(Object.values(declared as Record<string, unknown>).filter((value) => is(value, PgTable))),
]

// Both engines take at least this many parameters in one statement.
export const cellsPerStatement = 20_000

type Row = Record<string, unknown>

/** The columns of the primary key, with the names that rows have for them. */
export function primaryKeyOf(table: PgTable): [string, PgColumn][] {
  const { columns, primaryKeys } = getTableConfig(table)
  const keys = primaryKeys[0]?.columns ?? columns.filter((column) => column.primary)
  // A composite key holds columns of its own making: the name is what they share.
  return Object.entries(getTableColumns(table))
    .filter(([, column]) => keys.some(({ name }) => name === column.name))
    .map(([property, column]) => [property, column])
}

// Rows hold anything from a flag to a document of megabytes: the number read at once follows their size.
const firstRows = 8
const bytesAtOnce = 8_000_000

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8
}

/** About how many bytes rows take. */
export const sizeOfRows = (rows: readonly Row[]): number =>
  rows.reduce((sum, row) => Object.values(row).reduce<number>((part, value) => part + sizeOf(value), sum), 0)

type OnRows = (table: string, rows: number) => void

/**
 * The rows of a table in the order of its primary key, some at a time: as many as take some megabytes and fit into one statement.
 * @param which the rows that are read; all of them when omitted
 */
export async function* readRows(from: Reader, table: PgTable, which?: SQL): AsyncGenerator<readonly Row[]> {
  const keys = primaryKeyOf(table)
  const most = Math.max(1, Math.floor(cellsPerStatement / getTableConfig(table).columns.length))
  let limit = Math.min(firstRows, most)
  for (let last: Row | undefined; ;) {
    const place = last
    const rows: Row[] = await from
      .select()
      .from(table)
      .where(and(which, place && after(...keys.map(([name, column]): [PgColumn, unknown] => [column, place[name]]))))
      .orderBy(...keys.map(([, column]) => column))
      .limit(limit)
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    last = rows.at(-1)
    const fitting = Math.floor((limit * bytesAtOnce) / Math.max(1, sizeOfRows(rows)))
    limit = Math.max(1, Math.min(fitting, limit * 8, most))
  }
}

/**
 * Copies rows of a table, as `readRows` reads them.
 * @param onRows is called with the table and the number of rows that were copied now
 */
export async function copyTable(
  from: Reader,
  to: Transaction,
  table: PgTable,
  { which, onRows = () => {} }: { readonly which?: SQL; readonly onRows?: OnRows } = {},
): Promise<void> {
  for await (const rows of readRows(from, table, which)) {
    await to.insert(table).values([...rows])
    onRows(getTableName(table), rows.length)
  }
}

/**
 * Copies all rows; foreign keys must not be checked before the end of the receiving transaction.
 * @param onRows is called with the table and the number of rows that were copied now
 */
export async function copyRows(from: Reader, to: Transaction, onRows: OnRows = () => {}): Promise<void> {
  for (const table of allTables) await copyTable(from, to, table, { onRows })
}

/** Whether no table has a row. */
export async function isEmpty(reader: Reader): Promise<boolean> {
  for (const table of allTables) if ((await reader.select().from(table).limit(1)).length > 0) return false
  return true
}
