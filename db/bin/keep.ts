/** Keeps rows that are about to be deleted: read by the foreign keys of the tables, in parts of limited size. */
import { eq, getTableColumns, getTableName, inArray, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { primaryKeyOf, sizeOfRows } from '../backup/copy-rows.ts'
import { inTenant, type TenantTable } from '../conditions.ts'
import type { Transaction } from '../database.ts'
import { binEntries, binParts } from '../tables/bin.ts'
import { yieldToEventLoop } from '../yield.ts'
import { closureOf, type Reference } from './closure.ts'

export type BinEntryRow = typeof binEntries.$inferSelect
export type StoredRow = Record<string, unknown>

/** What a part holds, as JSON. Columns are named as in the database, so that a later version of the program reads it. */
export interface Part {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

// Of JSON, before it is compressed.
const partBytes = 1_000_000
/** So many parents are asked for at once, at most: their rows are in memory together. */
const mostParents = 64
const bytesAtOnce = 4_000_000

const isBytes = (column: PgColumn): boolean => column.getSQLType() === 'bytea'
const encode = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') : value

/** A cell as rows have it. */
export const decode = (column: PgColumn, value: unknown): unknown =>
  isBytes(column) && typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value

/** Writes what a deletion removes. */
export class Keeper {
  readonly #tx: Transaction
  readonly #entry: BinEntryRow
  readonly #counts: Record<string, number> = {}
  #ordinal = 0
  #sizeBytes = 0

  private constructor(tx: Transaction, entry: BinEntryRow) {
    this.#tx = tx
    this.#entry = entry
  }

  /** Adds the entry; what is kept follows. */
  static async open(tx: Transaction, entry: BinEntryRow): Promise<Keeper> {
    await tx.insert(binEntries).values(entry)
    return new Keeper(tx, entry)
  }

  /** How many rows of a table were kept. */
  countOf(table: PgTable): number {
    return this.#counts[getTableName(table)] ?? 0
  }

  /** Keeps rows of a table, with everything that vanishes with them. @param leftOut tables whose rows are not kept */
  async keepWithAll(
    root: TenantTable & { readonly id: PgColumn },
    ids: readonly string[],
    leftOut: readonly PgTable[],
  ) {
    const { tables, links } = closureOf(root, leftOut)
    const parents = new Set([...tables.flatMap(({ by }) => by), ...links].map(({ to }) => to))
    const known = new Map<PgTable, string[]>()
    for (const { table, by } of tables) {
      const seen = new Set<string>()
      const take = async (rows: readonly StoredRow[]) => {
        const keys = primaryKeyOf(table).map(([property]) => property)
        const fresh = rows.filter((row) => {
          const key = JSON.stringify(keys.map((property) => row[property]))
          // A table with one reference cannot answer a row twice.
          return by.length < 2 || (!seen.has(key) && seen.add(key))
        })
        await this.#write(table, 'rows', Object.keys(getTableColumns(table)), fresh)
        if (parents.has(table))
          known.set(table, [...(known.get(table) ?? []), ...fresh.map((row) => row['id'] as string)])
      }
      if (table === root) await this.#read(table, root.id, ids, take)
      for (const it of by) await this.#read(table, it.column, known.get(it.to) ?? [], take)
    }
    for (const link of links) await this.#keepLinks(link, known.get(link.to) ?? [])
  }

  /** Keeps rows that no foreign key leads to. */
  async keepRows(table: TenantTable, column: PgColumn, values: readonly string[]): Promise<void> {
    const columns = Object.keys(getTableColumns(table))
    await this.#read(table, column, values, (rows) => this.#write(table, 'rows', columns, rows))
  }

  /** Ends it: writes how much it is. */
  async close(set: { readonly counts: Readonly<Record<string, number>> }): Promise<void> {
    const { id, tenantId } = this.#entry
    const own = inTenant(binEntries, tenantId, eq(binEntries.id, id))
    await this.#tx
      .update(binEntries)
      .set({ ...set, sizeBytes: this.#sizeBytes })
      .where(own)
  }

  async #keepLinks({ table, property, column }: Reference, ids: readonly string[]): Promise<void> {
    const properties = [...new Set([...primaryKeyOf(table).map(([name]) => name), property])]
    await this.#read(table, column, ids, (rows) => this.#write(table, 'links', properties, rows))
  }

  /** Reads the rows that refer to some of the values, few parents at once where their rows are large. */
  async #read(
    table: TenantTable,
    column: PgColumn,
    values: readonly string[],
    take: (rows: readonly StoredRow[]) => Promise<void>,
  ) {
    let most = 4
    for (let at = 0; at < values.length;) {
      const some = values.slice(at, at + most)
      at += some.length
      const where: SQL = inTenant(table, this.#entry.tenantId, inArray(column, some))
      const rows: StoredRow[] = await this.#tx.select().from(table).where(where)
      await take(rows)
      const size = sizeOfRows(rows)
      most = Math.max(1, Math.min(mostParents, size === 0 ? most * 4 : Math.floor((some.length * bytesAtOnce) / size)))
      await yieldToEventLoop()
    }
  }

  async #write(table: PgTable, holds: 'rows' | 'links', properties: readonly string[], rows: readonly StoredRow[]) {
    const columns = getTableColumns(table)
    const names = properties.map((property) => (columns[property] as PgColumn).name)
    if (holds === 'rows') {
      const name = getTableName(table)
      this.#counts[name] = (this.#counts[name] ?? 0) + rows.length
    }
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
