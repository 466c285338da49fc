/** Conditions that mean the same on both engines. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { consumers } from './tables/consumers.ts'
import { limitOfProjects } from './limits.ts'
import { changeReportTemplates } from './tables/change-reports.ts'
import { deletions } from './tables/deletions.ts'
import { environments } from './tables/environments.ts'
import { mcpEndpoints } from './tables/mcp-servers.ts'
import { projects } from './tables/projects.ts'
import { repositories } from './tables/repositories.ts'
import { tenants } from './tables/tenants.ts'
import { versions } from './tables/versions.ts'
import { webhookSubscriptions } from './tables/webhooks.ts'

/** A table whose rows belong to a tenant. */
export type TenantTable = PgTable & { readonly tenantId: PgColumn }

/** The columns whose value may be the id of something that is being deleted in parts. */
const subjectsOf: ReadonlyMap<PgTable, readonly PgColumn[]> = new Map<PgTable, readonly PgColumn[]>([
  [projects, [projects.id]],
  [versions, [versions.id, versions.projectId]],
  [consumers, [consumers.projectId]],
  [repositories, [repositories.id]],
  [environments, [environments.id]],
  [mcpEndpoints, [mcpEndpoints.id]],
  [webhookSubscriptions, [webhookSubscriptions.id]],
])

/** Whether what a column names is not being deleted: what is deleted in parts is gone for everybody from the first part on. */
export const isThere = (column: PgColumn): SQL =>
  sql`${column} not in (select ${deletions.subjectId} from ${deletions})`

type Columns = Readonly<Record<'projectId' | 'versionId', PgColumn | undefined>>

/** Tables whose rows may be of the whole organization, without any project: everybody in it sees those. */
const mayBeOfAll: ReadonlySet<PgTable> = new Set<PgTable>([changeReportTemplates])

/**
 * The rows of a table that callers see who are limited to some projects: of every table that names a project or a version those of their
 * projects. Rows that name none are of nobody's project, so such callers do not see them.
 */
function limitOf(table: PgTable): SQL | undefined {
  const limit = limitOfProjects()
  if (limit === null) return undefined
  if (table === projects) return sql`${projects.id} in ${limit}`
  const { projectId, versionId } = table as unknown as Columns
  if (projectId !== undefined) {
    const own = sql`${projectId} in ${limit}`
    return mayBeOfAll.has(table) ? sql`(${projectId} is null or ${own})` : own
  }
  if (versionId === undefined) return undefined
  return sql`${versionId} in (select ${versions.id} from ${versions} where ${versions.projectId} in ${limit})`
}

/** The rows of one tenant, also of what is being deleted: for what deletes alone. */
export const inTenantToTheEnd = (table: TenantTable, tenantId: string, ...conditions: (SQL | undefined)[]): SQL =>
  and(eq(table.tenantId, tenantId), ...conditions) ?? sql`false`

/**
 * The rows of one tenant that also fit the conditions, without what is being deleted and what the caller does not see (`withinProjects`):
 * every query of a tenant's table goes through it.
 * @param tenantId its id, or the column of a joined table that has it
 */
export function inTenant(table: TenantTable, tenantId: string | PgColumn, ...conditions: (SQL | undefined)[]): SQL {
  const there = (subjectsOf.get(table) ?? []).map(isThere)
  return and(eq(table.tenantId, tenantId), ...conditions, ...there, limitOf(table)) ?? sql`false`
}

/** The organization that a column names, for joins; none while it is being deleted. */
export const isTenant = (column: PgColumn): SQL => and(eq(tenants.id, column), isThere(tenants.id)) ?? sql`false`

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
