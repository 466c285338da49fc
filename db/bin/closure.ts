/** Which rows vanish with a row, as the foreign keys of the tables say. */
import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { allTables } from '../backup/copy-rows.ts'
import type { TenantTable } from '../conditions.ts'

/** A column that refers to the id of a row of another table. */
export interface Reference {
  readonly table: TenantTable
  /** The name of the column in rows. */
  readonly property: string
  readonly column: PgColumn
  readonly to: PgTable
  readonly onDelete: 'cascade' | 'set null'
}

/** The name that rows have for a column: the same column may be another object in a key. */
export function propertyOf(table: PgTable, name: string): string {
  const found = Object.entries(getTableColumns(table)).find(([, column]) => column.name === name)
  if (found === undefined) throw new Error(`${getTableName(table)} has no column ${name}`)
  return found[0]
}

function referencesOf(table: PgTable): Reference[] {
  return getTableConfig(table).foreignKeys.flatMap(({ onDelete, reference }) => {
    const { columns, foreignTable } = reference()
    const [column, more] = columns
    // Keys of several columns lead to what is stored once for all that use it, and never vanishes with them.
    if (column === undefined || more !== undefined || (onDelete !== 'cascade' && onDelete !== 'set null')) return []
    const property = propertyOf(table, column.name)
    return [{ table: table as TenantTable, property, column, to: foreignTable, onDelete }]
  })
}

let all: readonly Reference[] | undefined

/** Every reference to one column of another table. */
export const allReferences = (): readonly Reference[] => (all ??= allTables.flatMap(referencesOf))

/** What vanishes with rows of a table: the tables, each after those that it refers to. */
export interface Closure {
  readonly tables: readonly {
    readonly table: TenantTable
    /** The references by which its rows vanish; none for the table it starts from. */
    readonly by: readonly Reference[]
  }[]
  /** References that are set to null. */
  readonly links: readonly Reference[]
}

/**
 * Follows the foreign keys from a table.
 * @param leftOut tables whose rows are not kept, with what vanishes with them
 */
export function closureOf(root: TenantTable, leftOut: readonly PgTable[]): Closure {
  const cascades = allReferences().filter((it) => it.onDelete === 'cascade' && !leftOut.includes(it.table))
  const reached = new Set<PgTable>([root])
  for (let size = 0; size < reached.size;) {
    size = reached.size
    for (const { table, to } of cascades) if (reached.has(to)) reached.add(table)
  }
  const inside = cascades.filter(({ table, to }) => reached.has(to) && table !== root)
  const ordered: TenantTable[] = []
  while (ordered.length < reached.size) {
    const next = [...reached].find(
      (table) =>
        !ordered.includes(table as TenantTable) &&
        inside.every((it) => it.table !== table || it.to === table || ordered.includes(it.to as TenantTable)),
    )
    if (next === undefined) throw new Error(`the tables below ${getTableName(root)} refer to each other in a circle`)
    ordered.push(next as TenantTable)
  }
  return {
    tables: ordered.map((table) => ({ table, by: inside.filter((it) => it.table === table) })),
    links: allReferences().filter((it) => it.onDelete === 'set null' && reached.has(it.to) && !reached.has(it.table)),
  }
}
