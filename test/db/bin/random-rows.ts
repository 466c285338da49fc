/** Rows for every table that is deleted with another one: random, and such that all keys hold. */
import { getTableColumns } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { allTables, primaryKeyOf } from '../../../db/backup/copy-rows.ts'
import { closureOf } from '../../../db/bin/closure.ts'
import type { TenantTable } from '../../../db/conditions.ts'
import type { Database, Transaction } from '../../../db/database.ts'
import { tenants } from '../../../db/tables.gen.ts'

export type RandomRow = Record<string, unknown>

/** Numbers that look random and are the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const texts = ['', 'Käse 🧀', '{"a":"\\u2028"}', "it's", 'a\tb\nc', '%_\\', 'null']

class Filler {
  readonly #tx: Transaction
  readonly #tenantId: string
  readonly #random: () => number
  readonly #made = new Map<PgTable, RandomRow[]>()
  #count = 0

  constructor(tx: Transaction, tenantId: string, random: () => number) {
    this.#tx = tx
    this.#tenantId = tenantId
    this.#random = random
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T
  }

  #value(column: PgColumn): unknown {
    this.#count += 1
    if (!column.notNull && this.#random() < 0.3) return null
    if (column.enumValues !== undefined && column.enumValues.length > 0) return this.#pick(column.enumValues)
    switch (column.getSQLType()) {
      case 'timestamptz(3)':
        return new Date(1_700_000_000_000 + this.#count * 1001).toISOString()
      case 'jsonb':
        return this.#pick<unknown>([
          {},
          [],
          { b: 1, a: { __text: this.#pick(texts) }, 10: [null, 1.5, true] },
          ['x'],
          'text',
          7,
        ])
      case 'boolean':
        return this.#random() < 0.5
      case 'bytea':
        return crypto.getRandomValues(new Uint8Array(Math.floor(this.#random() * 40)))
      case 'integer':
        return this.#count
      case 'bigint':
        return 2 ** 52 + this.#count
      default:
        return `${this.#pick(texts)} ${this.#count}`
    }
  }

  /** Adds a row; what it refers to is added before where there is none. */
  async add(table: PgTable): Promise<RandomRow> {
    const row: RandomRow = {}
    for (const [property, column] of Object.entries(getTableColumns(table))) row[property] = this.#value(column)
    if ('tenantId' in row) row['tenantId'] = this.#tenantId
    for (const { reference } of getTableConfig(table).foreignKeys) {
      const { columns, foreignColumns, foreignTable } = reference()
      if (foreignTable === tenants || foreignTable === table) continue
      const known = this.#made.get(foreignTable) ?? [await this.add(foreignTable)]
      // The first row is the one that is deleted, or belongs to it: it must have something of everything.
      const target = (this.#random() < 0.5 ? known[0] : this.#pick(known)) as RandomRow
      columns.forEach((column, index) => {
        const own = Object.entries(getTableColumns(table)).find(([, it]) => it.name === column.name)?.[0] ?? ''
        const its = Object.entries(getTableColumns(foreignTable)).find(
          ([, it]) => it.name === foreignColumns[index]?.name,
        )
        if (row[own] !== null) row[own] = target[its?.[0] ?? '']
      })
    }
    const inserted = await this.#tx.insert(table).values(row).onConflictDoNothing().returning()
    const made = [...(this.#made.get(table) ?? []), ...(inserted.length > 0 ? [row] : [])]
    this.#made.set(table, made)
    return made.at(-1) as RandomRow
  }
}

/** Fills every table below the root, and those beside that are changed by a deletion. @returns the ids of the rows of the root */
export async function fillBelow(
  db: Database,
  tenantId: string,
  root: TenantTable,
  { seed, rows }: { readonly seed: number; readonly rows: number },
): Promise<string[]> {
  const random = seeded(seed)
  return db.inTransaction(async (tx) => {
    const filler = new Filler(tx, tenantId, random)
    const { tables, links } = closureOf(root, [])
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push((await filler.add(root))['id'] as string)
    for (const { table } of tables.slice(1)) for (let n = 0; n < rows; n++) await filler.add(table)
    for (const { table } of links) for (let n = 0; n < rows; n++) await filler.add(table)
    return ids
  })
}

/** Every row of every table, by the name of the table. */
export async function dump(db: Database, but: readonly PgTable[] = []): Promise<Record<string, RandomRow[]>> {
  const all: Record<string, RandomRow[]> = {}
  for (const table of allTables) {
    if (but.includes(table)) continue
    const rows: RandomRow[] = await db.read
      .select()
      .from(table)
      .orderBy(...primaryKeyOf(table).map(([, column]) => column))
    if (rows.length > 0) all[getTableConfig(table).name] = rows
  }
  return all
}
