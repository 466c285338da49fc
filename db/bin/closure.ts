/** Which rows vanish with a row, as the foreign keys of the tables say. */
import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { allTables } from '../backup/copy-rows.ts'
import type { TenantTable } from '../conditions.ts'
import { changeReportTemplates } from '../tables/change-reports.ts'
import { searchEntries } from '../tables/search-entries.ts'
import { styleGuideAssignments, styleGuideDefaults, styleGuides } from '../tables/style-guides.ts'
import { tenants } from '../tables/tenants.ts'
import { versions } from '../tables/versions.ts'

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
let below: ReadonlyMap<PgTable, readonly Reference[]> | undefined

/** References that no foreign key declares: guides that are built in have no row, and the index for search has virtual tables beside it. */
const undeclared = (): readonly Reference[] => [
  { table: searchEntries, property: 'versionId', column: searchEntries.versionId, to: versions, onDelete: 'cascade' },
  // Those of an organization belong to no project.
  {
    table: changeReportTemplates,
    property: 'tenantId',
    column: changeReportTemplates.tenantId,
    to: tenants,
    onDelete: 'cascade',
  },
  ...[styleGuideAssignments, styleGuideDefaults].map((table) => {
    return { table, property: 'guideId', column: table.guideId, to: styleGuides, onDelete: 'cascade' as const }
  }),
]

/** The tables whose rows are held by rows of others through a key of several columns: those have to go before. */
const heldTables = (): ReadonlySet<PgTable> =>
  new Set(
    allTables
      .flatMap((table) => getTableConfig(table).foreignKeys.map(({ reference }) => reference()))
      .filter(({ columns }) => columns.length > 1)
      .map(({ foreignTable }) => foreignTable),
  )

/** The references to the rows of each table. */
function referencesByTable(): ReadonlyMap<PgTable, readonly Reference[]> {
  const held = heldTables()
  const rank = (it: Reference): number => (it.onDelete === 'set null' ? 2 : Number(held.has(it.table)))
  return new Map(
    [...Map.groupBy([...allReferences(), ...undeclared()], ({ to }) => to)].map(([to, list]) => [
      to,
      list.toSorted((a, b) => rank(a) - rank(b)),
    ]),
  )
}

/**
 * The references to rows of a table, in the order in which a deletion follows them: what vanishes, what others hold on to after the
 * others, then what is set to null.
 */
export function referencesTo(table: PgTable): readonly Reference[] {
  below ??= referencesByTable()
  return below.get(table) ?? []
}

let order: ReadonlyMap<string, number> | undefined

/** The place of a table among all, each after those that it refers to: rows are inserted in this order. */
export function placeOf(tableName: string): number {
  if (order === undefined) {
    const cascades = [...allReferences(), ...undeclared()].filter(({ onDelete }) => onDelete === 'cascade')
    const left = new Set<PgTable>(allTables)
    const ordered: PgTable[] = []
    while (left.size > 0) {
      const next = [...left].find((table) =>
        cascades.every((it) => it.table !== table || it.to === table || !left.has(it.to)),
      )
      if (next === undefined) throw new Error('the tables refer to each other in a circle')
      left.delete(next)
      ordered.push(next)
    }
    order = new Map(ordered.map((table, at) => [getTableName(table), at]))
  }
  return order.get(tableName) ?? order.size
}

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
