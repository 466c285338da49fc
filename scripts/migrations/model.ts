/** Reads table declarations into plain values: what migrations are written from and compared with. */
import { is, SQL, sql } from 'drizzle-orm'
import { getTableConfig, type IndexedColumn, PgDialect, type PgTable } from 'drizzle-orm/pg-core'

export interface ColumnModel {
  readonly name: string
  /** The type on Postgres. */
  readonly type: string
  readonly notNull: boolean
  /** SQL of the default value. */
  readonly default: string | null
}

export interface ForeignKeyModel {
  readonly name: string
  readonly columns: readonly string[]
  readonly table: string
  readonly foreignColumns: readonly string[]
  readonly onDelete: string | null
}

export interface IndexModel {
  readonly name: string
  readonly unique: boolean
  /** SQL of each indexed column or expression. */
  readonly on: readonly string[]
  readonly where: string | null
}

export interface TableModel {
  readonly name: string
  readonly columns: readonly ColumnModel[]
  readonly primaryKey: readonly string[]
  readonly foreignKeys: readonly ForeignKeyModel[]
  readonly indexes: readonly IndexModel[]
  readonly checks: readonly { readonly name: string; readonly condition: string }[]
}

const dialect = new PgDialect()
// Inside of an index or check a column is written without its table.
const writeSql = (expression: SQL): string => dialect.sqlToQuery(expression.inlineParams(), 'indexes').sql

const quote = (name: string): string => `"${name}"`

function writeDefault(value: unknown): string | null {
  if (value === undefined) return null
  if (is(value, SQL)) return writeSql(value)
  return writeSql(sql`${value}`)
}

/** The model of one table. Refuses what the two engines would not both do. */
export function readTable(table: PgTable): TableModel {
  const config = getTableConfig(table)
  const refuse = (what: string): never => {
    throw new Error(`Table ${config.name}: ${what}`)
  }
  if (config.uniqueConstraints.length > 0 || config.columns.some((column) => column.isUnique))
    refuse('declare uniqueness by uniqueIndex(…).on(…), which can be added to a table later')
  return {
    name: config.name,
    columns: config.columns.map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      notNull: column.notNull,
      default: writeDefault(column.default),
    })),
    primaryKey: [
      ...config.columns.filter((column) => column.primary),
      ...config.primaryKeys.flatMap((key) => key.columns),
    ].map((column) => column.name),
    foreignKeys: config.foreignKeys.map((key) => {
      const { columns, foreignColumns, foreignTable } = key.reference()
      return {
        name: `${config.name}_${columns.map(({ name }) => name).join('_')}_fkey`,
        columns: columns.map(({ name }) => name),
        table: getTableConfig(foreignTable).name,
        foreignColumns: foreignColumns.map(({ name }) => name),
        onDelete: key.onDelete ?? null,
      }
    }),
    indexes: config.indexes.map((index) => {
      const { name = refuse('give every index a name'), unique, columns, where } = index.config
      return {
        name,
        unique,
        on: columns.map((column) => {
          if (is(column, SQL)) return `(${writeSql(column)})`
          const { name: columnName = '', indexConfig } = column as Partial<IndexedColumn>
          if (indexConfig?.order === 'desc') refuse(`index ${name}: ascending columns only, they serve both orders`)
          return quote(columnName)
        }),
        where: where ? writeSql(where) : null,
      }
    }),
    checks: config.checks.map((check) => ({ name: check.name, condition: writeSql(check.value) })),
  }
}

/** Tables by name, each after the tables it points to, as far as there are no circles. */
export function orderTables(tables: readonly TableModel[]): TableModel[] {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const ordered = new Set<TableModel>()
  const visit = (table: TableModel, above: readonly TableModel[]): void => {
    if (ordered.has(table) || above.includes(table)) return
    for (const key of [...table.foreignKeys].sort((a, b) => (a.table < b.table ? -1 : 1))) {
      const target = byName.get(key.table)
      if (!target) throw new Error(`Table ${table.name} points to ${key.table}, which no file in db/tables declares.`)
      visit(target, [...above, table])
    }
    ordered.add(table)
  }
  for (const name of [...byName.keys()].sort()) visit(byName.get(name) as TableModel, [])
  return [...ordered]
}
