/** Which rows an organization consists of when it moves to another installation, and in which order they are written there. */
import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { allTables } from '../backup/copy-rows.ts'
import { propertyOf } from '../bin/closure.ts'
import type { TenantTable } from '../conditions.ts'
import {
  accountAuthorizations,
  deletions,
  documentReaders,
  draftAssessments,
  importItems,
  importUploadParts,
  importUploads,
  jobs,
  memberships,
  objectRemovals,
  outboxTasks,
  renderings,
  tenants,
  trustTokens,
  users,
} from '../tables.gen.ts'

/** What stays: work under way, sign-ins, and what is made again from the rest. */
const left: ReadonlySet<PgTable> = new Set<PgTable>([
  accountAuthorizations,
  deletions,
  documentReaders,
  draftAssessments,
  importItems,
  importUploadParts,
  importUploads,
  jobs,
  objectRemovals,
  renderings,
  trustTokens,
])

const hasTenant = (table: PgTable): table is TenantTable => 'tenantId' in getTableColumns(table)

/** The tables that a table refers to by foreign keys, itself left out. */
const referred = (table: PgTable): PgTable[] =>
  getTableConfig(table)
    .foreignKeys.map((key) => key.reference().foreignTable)
    .filter((to) => to !== table)

let ordered: readonly PgTable[] | undefined

/** The tables that move, each after those that it refers to; the organization and its people come first. */
export function movedTables(): readonly PgTable[] {
  if (ordered !== undefined) return ordered
  const waiting = new Set<PgTable>(
    allTables.filter((table) => table === outboxTasks || (hasTenant(table) && !left.has(table))),
  )
  const found: PgTable[] = [tenants, users]
  while (waiting.size > 0) {
    const next = [...waiting].find((table) => referred(table).every((to) => !waiting.has(to)))
    if (next === undefined)
      throw new Error(`tables refer to each other in a circle: ${[...waiting].map(getTableName).join(', ')}`)
    waiting.delete(next)
    found.push(next)
  }
  ordered = found
  return found
}

/** A column that refers to an account, or to a membership of one. */
export interface AccountColumn {
  /** The name that rows have for it. */
  readonly property: string
  readonly column: PgColumn
  /** Whether a row stays where its account is gone, without naming it. */
  readonly isOptional: boolean
}

/** The columns of a table that refer to accounts. */
export const accountColumns = (table: PgTable): readonly AccountColumn[] =>
  getTableConfig(table).foreignKeys.flatMap((key) => {
    const { columns, foreignColumns, foreignTable } = key.reference()
    const at = foreignColumns.findIndex(({ name }) => name === (foreignTable === memberships ? 'user_id' : 'id'))
    const column = columns[at]
    if ((foreignTable !== users && foreignTable !== memberships) || column === undefined) return []
    return [{ property: propertyOf(table, column.name), column, isOptional: key.onDelete === 'set null' }]
  })
