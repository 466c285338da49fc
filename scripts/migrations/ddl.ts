/** Writes the statements that make tables, or that add to them, in either dialect. */
import type { Dialect } from '../../db/database.ts'
import type { ColumnModel, ForeignKeyModel, IndexModel, TableModel } from './model.ts'

/** What each column type of db/columns.ts is on each engine. "C" makes Postgres compare text bytewise, as SQLite does. */
const types: Record<string, Record<Dialect, string>> = {
  text: { postgres: 'text collate "C"', sqlite: 'text' },
  integer: { postgres: 'integer', sqlite: 'integer' },
  bigint: { postgres: 'bigint', sqlite: 'integer' },
  boolean: { postgres: 'boolean', sqlite: 'integer' },
  'timestamptz(3)': { postgres: 'timestamptz(3)', sqlite: 'text' },
  bytea: { postgres: 'bytea', sqlite: 'blob' },
  jsonb: { postgres: 'jsonb', sqlite: 'text' },
}

const quote = (name: string): string => `"${name}"`
const list = (names: readonly string[]): string => names.map(quote).join(', ')

function writeColumn(table: string, column: ColumnModel, dialect: Dialect): string {
  const type = types[column.type]
  if (!type) throw new Error(`${table}.${column.name}: the type ${column.type} is none of db/columns.ts`)
  const rest = (column.default === null ? '' : ` default ${column.default}`) + (column.notNull ? ' not null' : '')
  return `${quote(column.name)} ${type[dialect]}${rest}`
}

function writeReference(key: ForeignKeyModel): string {
  const onDelete = key.onDelete ? ` on delete ${key.onDelete}` : ''
  return `references ${quote(key.table)} (${list(key.foreignColumns)})${onDelete}`
}

const writeForeignKey = (key: ForeignKeyModel): string =>
  `constraint ${quote(key.name)} foreign key (${list(key.columns)}) ${writeReference(key)}`

function writeTable(table: TableModel, dialect: Dialect): string {
  const lines = table.columns.map((column) => writeColumn(table.name, column, dialect))
  if (table.primaryKey.length > 0) lines.push(`primary key (${list(table.primaryKey)})`)
  for (const { name, condition } of table.checks) lines.push(`constraint ${quote(name)} check (${condition})`)
  // On Postgres the table pointed to must exist already; in a circle one does not, so they are all added afterwards.
  if (dialect === 'sqlite') lines.push(...table.foreignKeys.map(writeForeignKey))
  return `create table ${quote(table.name)} (\n  ${lines.join(',\n  ')}\n)${dialect === 'sqlite' ? ' strict' : ''}`
}

function writeIndex(table: string, index: IndexModel): string {
  const where = index.where === null ? '' : ` where ${index.where}`
  return `create ${index.unique ? 'unique ' : ''}index ${quote(index.name)} on ${quote(table)} (${index.on.join(', ')})${where}`
}

/** The statements that make all of these tables in an empty database. */
export function writeCreation(tables: readonly TableModel[], dialect: Dialect): string[] {
  const keys = dialect === 'sqlite' ? [] : tables
  return [
    ...tables.map((table) => writeTable(table, dialect)),
    ...keys.flatMap(({ name, foreignKeys }) =>
      foreignKeys.map((key) => `alter table ${quote(name)} add ${writeForeignKey(key)}`),
    ),
    ...tables.flatMap(({ name, indexes }) => indexes.map((index) => writeIndex(name, index))),
  ]
}

function writeTableAdditions(old: TableModel, table: TableModel, dialect: Dialect): string[] {
  const refuse = (what: string): never => {
    throw new Error(
      `Table ${table.name}: ${what}. Released tables only grow: add a new column or table and leave the old one.`,
    )
  }
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  if (!same(old.primaryKey, table.primaryKey)) refuse('its primary key changed')
  if (!same(old.checks, table.checks)) refuse('its checks changed')
  for (const column of old.columns)
    if (!table.columns.some((it) => same(it, column))) refuse(`the column ${column.name} changed or is gone`)
  const added = table.columns.filter(({ name }) => !old.columns.some((it) => it.name === name))
  const newKeys = table.foreignKeys.filter((key) => !old.foreignKeys.some((it) => same(it, key)))
  for (const key of newKeys)
    if (key.columns.length !== 1 || !added.some(({ name }) => name === key.columns[0]))
      refuse(`the foreign key ${key.name} is not on one new column`)
  const indexesBefore = new Map(old.indexes.map((index) => [index.name, index]))
  for (const index of table.indexes) {
    const before = indexesBefore.get(index.name)
    if (before && !same(before, index)) refuse(`the index ${index.name} changed; give the new one another name`)
  }
  return [
    ...added.map((column) => {
      if (column.notNull && column.default === null)
        refuse(`the new column ${column.name} needs a default or must be nullable`)
      const key = newKeys.find(({ columns }) => columns[0] === column.name)
      return `alter table ${quote(table.name)} add column ${writeColumn(table.name, column, dialect)}${key ? ` ${writeReference(key)}` : ''}`
    }),
    ...old.indexes
      .filter(({ name }) => !table.indexes.some((it) => it.name === name))
      .map(({ name }) => `drop index ${quote(name)}`),
    ...table.indexes.filter(({ name }) => !indexesBefore.has(name)).map((index) => writeIndex(table.name, index)),
  ]
}

/**
 * The statements that bring released tables to the present ones: new tables, columns and indexes. Fails, with what to
 * do instead, on every change that could lose or misread data.
 */
export function writeAdditions(before: readonly TableModel[], now: readonly TableModel[], dialect: Dialect): string[] {
  const old = new Map(before.map((table) => [table.name, table]))
  for (const { name } of before)
    if (!now.some((table) => table.name === name)) throw new Error(`Table ${name} is released and cannot be removed.`)
  return [
    ...writeCreation(
      now.filter(({ name }) => !old.has(name)),
      dialect,
    ),
    ...now.flatMap((table) => {
      const released = old.get(table.name)
      return released ? writeTableAdditions(released, table, dialect) : []
    }),
  ]
}
