import { and, desc, getTableColumns, lte, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { upTo } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { SvcError } from '../../src/errors.ts'

/** A part of a list: `offset` rows are left out, then at most `limit` follow. */
export interface Page {
  readonly limit: number
  readonly offset: number
}

/** The page that a query asks for; without one the first 50 rows, or `limit` where a list has a default of its own. */
export const pageOf = (query: Partial<Page> | undefined, limit = 50): Page => ({
  limit: query?.limit ?? limit,
  offset: query?.offset ?? 0,
})

/** A page of a list that clients read while rows are added: those added after its first page are left out of the others. */
export interface StablePage extends Page {
  /** The name of the list: the cursor of one does not read another. */
  readonly list: string
  /** When the first page was read; null: this is the first. */
  readonly firstReadAt: string | null
  /** What the first row of the first page had in the columns that order the list: a row that was added in the same millisecond is after it. */
  readonly newest?: readonly unknown[]
}

const largestOffset = 1_000_000

/** What a cursor holds; null where the text is not a cursor. */
export function decodeCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return null
  }
}

/**
 * The page that a query asks for, by its offset or by the cursor of the page before.
 * @param list the name of the list: the cursor of one does not read another
 * @throws SvcError `cursor-invalid`
 */
export function stablePageOf(
  list: string,
  query: (Partial<Page> & { readonly cursor?: string }) | undefined,
  limit?: number,
): StablePage {
  const page = pageOf(query, limit)
  if (query?.cursor === undefined) return { ...page, list, firstReadAt: null }
  const read = decodeCursor(query.cursor)
  const [name, offset, firstReadAt, newest = null] = Array.isArray(read) ? (read as unknown[]) : []
  const isOffset = Number.isInteger(offset) && Number(offset) >= 0 && Number(offset) <= largestOffset
  if (name !== list || !isOffset || !isInstant(firstReadAt)) throw new SvcError('cursor-invalid')
  const place = { limit: page.limit, offset: Number(offset), list, firstReadAt }
  if (newest === null) return place
  if (!Array.isArray(newest)) throw new SvcError('cursor-invalid')
  return { ...place, newest }
}

/** Whether a text is an instant as the database has it. Anyone can write a cursor. */
function isInstant(value: unknown): value is string {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString() === value
}

function fits(column: PgColumn, value: unknown): boolean {
  if (column.dataType === 'number') return Number.isSafeInteger(value)
  return column.getSQLType() === 'timestamptz(3)' ? isInstant(value) : typeof value === 'string'
}

/**
 * Which rows a page is of: those that were there when its first page was read.
 * @param added when a row was added
 * @param order the columns that order the list, newest first; without them rows of the same millisecond are shown
 * @throws SvcError `cursor-invalid`
 */
export function sincePage(added: PgColumn, { firstReadAt, newest }: StablePage, order?: readonly PgColumn[]) {
  if (firstReadAt === null) return undefined
  if (newest === undefined || order === undefined) return lte(added, firstReadAt)
  if (newest.length !== order.length || !order.every((column, at) => fits(column, newest[at])))
    throw new SvcError('cursor-invalid')
  return upTo(...order.map((column, at): [PgColumn, unknown] => [column, newest[at]]))
}

/** What a list answers about its page. */
export interface PageAnswer extends Page {
  readonly total: number
  readonly next_cursor?: string
}

/**
 * What follows a page, as the contract answers it.
 * @param now when it was read, as an instant
 * @param shown how many rows the page has
 * @param newest what its first row has in the columns that order the list, newest first
 */
export const afterPage = (
  { list, limit, offset, firstReadAt, newest }: StablePage,
  page: { readonly shown: number; readonly total: number; readonly now: string; readonly newest?: readonly unknown[] },
): PageAnswer => {
  const { shown, total, now } = page
  const next = offset + shown
  if (shown === 0 || next >= total) return { total, limit, offset }
  // The first row of a list is the newest one; that of a page further on is not.
  const first = firstReadAt === null && offset === 0 ? page.newest : newest
  const cursor = JSON.stringify([list, next, firstReadAt ?? now, ...(first === undefined ? [] : [first])])
  return { total, limit, offset, next_cursor: Buffer.from(cursor).toString('base64url') }
}

/** A page of the rows of a table that `where` fits, in their order, and how many rows it fits. */
export async function readPage<T extends PgTable>(
  read: Reader,
  table: T,
  { where, order, page }: { readonly where: SQL | undefined; readonly order: readonly SQL[]; readonly page: Page },
): Promise<{ readonly rows: T['$inferSelect'][]; readonly total: number }> {
  // Conditional types of the query builder cannot be decided for a table of any type.
  const source: PgTable = table
  const rows = await read
    .select()
    .from(source)
    .where(where)
    .orderBy(...order)
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await read.$count(table, where) }
}

/**
 * A page of rows that are added while clients read them, newest first, and what the contract answers about it.
 * @param order columns of the table, all descending; the last one is unique
 * @param added when a row was added, a column of the table
 * @param now the present instant
 */
export async function readStablePage<T extends PgTable>(
  read: Reader,
  table: T,
  options: {
    readonly where: SQL | undefined
    readonly order: readonly PgColumn[]
    readonly page: StablePage
    readonly added: PgColumn
    readonly now: string
  },
): Promise<{ readonly rows: T['$inferSelect'][]; readonly page: PageAnswer }> {
  const { page, now, order } = options
  const { rows, total } = await readPage(read, table, {
    where: and(options.where, sincePage(options.added, page, order)),
    order: order.map((column) => desc(column)),
    page,
  })
  const [first] = rows as Readonly<Record<string, unknown>>[]
  const names = order.map((column) =>
    Object.entries(getTableColumns(table)).find(([, own]) => own.name === column.name),
  )
  const newest = first && names.map((entry) => first[entry?.[0] ?? ''])
  return { rows, page: afterPage(page, { shown: rows.length, total, now, ...(newest && { newest }) }) }
}
