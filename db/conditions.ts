/** Conditions that mean the same on both engines. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'

/** A table whose rows belong to a tenant. */
export type TenantTable = PgTable & { readonly tenantId: PgColumn }

/** The rows of one tenant that also fit the conditions: every query of a tenant's table goes through it. */
export function inTenant(table: TenantTable, tenantId: string, ...conditions: (SQL | undefined)[]): SQL {
  return and(eq(table.tenantId, tenantId), ...conditions) ?? sql`false`
}

/** Whether a text column contains the needle, ignoring the case of ASCII letters; the needle has no wildcards. */
export function contains(column: PgColumn, needle: string): SQL {
  const escaped = needle.toLowerCase().replace(/[\\%_]/g, '\\$&')
  return sql`lower(${column}) like ${`%${escaped}%`} escape '\\'`
}

type Keys = readonly [PgColumn, unknown][]

function compareKeys(keys: Keys, operator: SQL): SQL {
  const columns = keys.map(([column]) => sql`${column}`)
  const values = keys.map(([column, value]) => sql`${sql.param(value, column)}`)
  return sql`(${sql.join(columns, sql`, `)}) ${operator} (${sql.join(values, sql`, `)})`
}

/**
 * The rows before a place in the order of the columns, for pages in descending order:
 * `before([projects.createdAt, cursor.createdAt], [projects.id, cursor.id])`. The last column must be unique.
 */
export const before = (...keys: Keys): SQL => compareKeys(keys, sql`<`)

/** The rows after a place in the order of the columns, for pages in ascending order. */
export const after = (...keys: Keys): SQL => compareKeys(keys, sql`>`)

/** The rows up to a place in the order of the columns, with that place. */
export const upTo = (...keys: Keys): SQL => compareKeys(keys, sql`<=`)

/**
 * A list for `inArray` whose length is a power of two, by repeating its last value: a database keeps one prepared statement
 * for each length.
 */
export function padded<T>(values: readonly T[]): T[] {
  const last = values.at(-1)
  if (last === undefined) return []
  const length = 2 ** Math.ceil(Math.log2(values.length))
  return [...values, ...Array.from({ length: length - values.length }, () => last)]
}
