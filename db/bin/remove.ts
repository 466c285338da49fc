/** Removes a row with everything that vanishes with it, as many rows in a transaction as its time allows. */
import { eq, getTableColumns, inArray, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { primaryKeyOf, sizeOfRows } from '../backup/copy-rows.ts'
import { inTenantToTheEnd, padded, type TenantTable } from '../conditions.ts'
import type { Transaction } from '../database.ts'
import { yieldToEventLoop } from '../yield.ts'
import { withKeys } from '../remove-where.ts'
import { type Reference, referencesTo } from './closure.ts'
import type { Keeper, StoredRow } from './keep.ts'

/** A table whose rows others refer to by their id. */
export type RootTable = PgTable & { readonly id: PgColumn }

export interface RemovalOptions {
  readonly tx: Transaction
  readonly tenantId: string
  /** Takes what is removed; null: nothing is kept. */
  readonly keeper: Keeper | null
  /** Tables whose rows are not kept, nor what vanishes with them. */
  readonly leftOut: readonly PgTable[]
  /** How long it may take, in milliseconds; something is removed in any case. */
  readonly budgetMs: number
  /** How many rows of a table are read at once: what the parts before found to be small enough. */
  readonly batches?: Batches
}

/** Rows at once, by table. */
export type Batches = Map<PgTable, number>

const firstRows = 8
const mostRows = 200
const bytesAtOnce = 1_000_000

/** Some tables that others lead to do not name the organization: the tasks of an event. */
const scoped = (table: PgTable, tenantId: string, where: SQL): SQL =>
  'tenantId' in table ? inTenantToTheEnd(table as TenantTable, tenantId, where) : where

/** One part of a removal, within one transaction. */
class Part {
  readonly #options: RemovalOptions
  readonly #end: number
  readonly #most: Batches
  #hasRemoved = false

  constructor(options: RemovalOptions) {
    this.#options = options
    this.#most = options.batches ?? new Map()
    this.#end = performance.now() + options.budgetMs
  }

  get #isOver(): boolean {
    return this.#hasRemoved && performance.now() > this.#end
  }

  /** Rows that refer to others, few at first: they hold anything from a flag to a document of megabytes. */
  async #referring({ table, column, property }: Reference, ids: readonly unknown[], isKept: boolean) {
    const { tx, tenantId } = this.#options
    const most = this.#most.get(table) ?? firstRows
    const all = getTableColumns(table)
    // What is not kept is not read either, but for what names it.
    const needed = ['id', property, ...primaryKeyOf(table).map(([name]) => name)]
    const columns = isKept ? all : Object.fromEntries(Object.entries(all).filter(([name]) => needed.includes(name)))
    const rows: StoredRow[] = await tx
      .select(columns)
      .from(table)
      .where(scoped(table, tenantId, inArray(column, padded(ids))))
      .limit(most)
    const fitting = Math.floor((rows.length * bytesAtOnce) / Math.max(1, sizeOfRows(rows)))
    this.#most.set(table, Math.max(1, Math.min(fitting, most * 4, mostRows)))
    return { rows, isLast: rows.length < most }
  }

  async #unlink(reference: Reference, rows: readonly StoredRow[], isKept: boolean): Promise<void> {
    const { tx, tenantId, keeper } = this.#options
    const { table, property } = reference
    if (isKept) await keeper?.keepLinks(reference, rows)
    await tx
      .update(table)
      .set({ [property]: null })
      .where(scoped(table, tenantId, withKeys(table, rows)))
    this.#hasRemoved = true
  }

  /** Removes what refers to rows. False: its time is over before. */
  async empty(table: PgTable, rows: readonly StoredRow[], isKept: boolean): Promise<boolean> {
    const ids = rows.map((row) => row['id'])
    for (const reference of referencesTo(table)) {
      const keepsIt = isKept && !this.#options.leftOut.includes(reference.table)
      for (let isLast = false; !isLast;) {
        if (this.#isOver) return false
        const found = await this.#referring(reference, ids, keepsIt)
        isLast = found.isLast
        if (found.rows.length === 0) break
        if (reference.onDelete === 'set null') await this.#unlink(reference, found.rows, keepsIt)
        else if (!(await this.#remove(reference.table, found.rows, keepsIt))) return false
        await yieldToEventLoop()
      }
    }
    return true
  }

  async #remove(table: TenantTable, rows: readonly StoredRow[], isKept: boolean): Promise<boolean> {
    if (!(await this.empty(table, rows, isKept))) return false
    const { tx, tenantId, keeper } = this.#options
    if (isKept) await keeper?.keepRows(table, rows)
    await tx.delete(table).where(scoped(table, tenantId, withKeys(table, rows)))
    this.#hasRemoved = true
    return true
  }
}

/**
 * Removes a part of what vanishes with a row, from the leaves up, and at last the row itself. Its progress is what is left:
 * the next part, in this process or another one, removes that. The row itself is not kept: it is kept before the first part, as it may
 * be renamed while it waits for its end.
 * @returns whether nothing is left
 */
export async function removePart(root: RootTable, id: string, options: RemovalOptions): Promise<boolean> {
  if (!(await new Part(options).empty(root, [{ id }], options.keeper !== null))) return false
  await options.tx.delete(root).where(eq(root.id, id))
  return true
}
