/** Keeps rows that are about to be deleted, in parts of limited size. */
import { eq, getTableColumns, getTableName, max } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { primaryKeyOf } from '../backup/copy-rows.ts'
import { inTenant } from '../conditions.ts'
import type { Transaction } from '../database.ts'
import { binEntries, binParts } from '../tables/bin.ts'
import type { Reference } from './closure.ts'

export type BinEntryRow = typeof binEntries.$inferSelect
export type StoredRow = Record<string, unknown>

/** What a part holds, as JSON. Columns are named as in the database, so that a later version of the program reads it. */
export interface Part {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

// Of JSON, before it is compressed.
const partBytes = 1_000_000

const isBytes = (column: PgColumn): boolean => column.getSQLType() === 'bytea'
const encode = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') : value

/** A cell as rows have it. */
export const decode = (column: PgColumn, value: unknown): unknown =>
  isBytes(column) && typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value

/** Writes what a deletion removes, in any number of transactions: each goes on where the one before ended. */
export class Keeper {
  readonly #tx: Transaction
  readonly #entry: BinEntryRow
  readonly #counts: Record<string, number> = {}
  #ordinal: number
  #sizeBytes = 0

  private constructor(tx: Transaction, entry: BinEntryRow, ordinal: number) {
    this.#tx = tx
    this.#entry = entry
    this.#ordinal = ordinal
  }

  /** Goes on with an entry. Null: there is none, so nothing is to be kept. */
  static async of(tx: Transaction, tenantId: string, id: string): Promise<Keeper | null> {
    const [entry] = await tx
      .select()
      .from(binEntries)
      .where(inTenant(binEntries, tenantId, eq(binEntries.id, id)))
    if (entry === undefined) return null
    const [last] = await tx
      .select({ ordinal: max(binParts.ordinal) })
      .from(binParts)
      .where(inTenant(binParts, tenantId, eq(binParts.entryId, id)))
    return new Keeper(tx, entry, (last?.ordinal ?? -1) + 1)
  }

  /** Keeps rows of a table. */
  async keepRows(table: PgTable, rows: readonly StoredRow[]): Promise<void> {
    const name = getTableName(table)
    this.#counts[name] = (this.#counts[name] ?? 0) + rows.length
    await this.#write(table, 'rows', Object.keys(getTableColumns(table)), rows)
  }

  /** Keeps to what rows referred that are about to refer to nothing. */
  async keepLinks({ table, property }: Reference, rows: readonly StoredRow[]): Promise<void> {
    await this.#write(table, 'links', [...new Set([...primaryKeyOf(table).map(([name]) => name), property])], rows)
  }

  /** Writes how much there is by now. @param counted the tables whose rows are counted for lists, by the names that they have there */
  async close(counted: Readonly<Record<string, PgTable>>): Promise<void> {
    const { id, tenantId, counts, sizeBytes } = this.#entry
    const sums = Object.entries(counted).map(([name, table]) => {
      return [name, (counts[name] ?? 0) + (this.#counts[getTableName(table)] ?? 0)] as const
    })
    await this.#tx
      .update(binEntries)
      .set({ counts: Object.fromEntries(sums.filter(([, n]) => n > 0)), sizeBytes: sizeBytes + this.#sizeBytes })
      .where(inTenant(binEntries, tenantId, eq(binEntries.id, id)))
  }

  async #write(table: PgTable, holds: 'rows' | 'links', properties: readonly string[], rows: readonly StoredRow[]) {
    const columns = getTableColumns(table)
    const names = properties.map((property) => (columns[property] as PgColumn).name)
    let some: string[] = []
    let size = 0
    const flush = async () => {
      if (some.length === 0) return
      await this.#part(table, holds, `{"columns":${JSON.stringify(names)},"rows":[${some.join(',')}]}`)
      some = []
      size = 0
    }
    for (const row of rows) {
      const text = JSON.stringify(properties.map((property) => encode(row[property])))
      some.push(text)
      size += text.length
      if (size > partBytes) await flush()
    }
    await flush()
  }

  async #part(table: PgTable, holds: 'rows' | 'links', text: string): Promise<void> {
    const compressed = new Uint8Array(await Bun.zstdCompress(text, { level: 3 }))
    this.#sizeBytes += compressed.length
    const { id: entryId, tenantId } = this.#entry
    const tableName = getTableName(table)
    await this.#tx
      .insert(binParts)
      .values({ entryId, ordinal: this.#ordinal++, tenantId, tableName, holds, compressed })
  }
}
