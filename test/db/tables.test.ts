import { expect, test } from 'bun:test'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import * as declared from '../../db/tables.gen.ts'

const tables = Object.values(declared as Record<string, unknown>).filter((value) => is(value, PgTable))

test('every table has a primary key', () => {
  const wrong = tables
    .map((table) => getTableConfig(table))
    .filter(({ columns, primaryKeys }) => !columns.some(({ primary }) => primary) && primaryKeys.length === 0)
  expect(wrong.map(({ name }) => name)).toEqual([])
})

test('every foreign key to the tenants cascades, so that a removed tenant leaves nothing behind', () => {
  const wrong = tables.flatMap((table) => {
    const { name, foreignKeys } = getTableConfig(table)
    return foreignKeys
      .filter((key) => key.reference().foreignTable === declared.tenants && key.onDelete !== 'cascade')
      .map(() => name)
  })
  expect(wrong).toEqual([])
})

test('every column has a type of the portable kit', () => {
  const portable = ['text', 'integer', 'bigint', 'boolean', 'timestamptz(3)', 'bytea', 'jsonb']
  const wrong = tables.flatMap((table) => {
    const { name, columns } = getTableConfig(table)
    return columns.filter((column) => !portable.includes(column.getSQLType())).map((column) => `${name}.${column.name}`)
  })
  expect(wrong).toEqual([])
})
