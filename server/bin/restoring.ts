/** What the restorers of all kinds share: what they work with, and how the rows that were kept are adjusted. */
import { eq } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Adjust } from '../../db/bin/bring-back.ts'
import type { BinEntryRow, StoredRow } from '../../db/bin/keep.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { nextEntryId } from '../../db/search/search.ts'
import { draftBindings, linkedAccounts, projects, searchEntries } from '../../db/tables.gen.ts'
import { binKindNames, type BinKind } from '../../src/api/bin-kinds.ts'
import { SvcError } from '../../src/errors.ts'
import type { Grant } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'

/** What a restorer works with. */
export interface Restoring {
  readonly deps: Deps
  readonly grant: Grant
  readonly tx: Transaction
  readonly entry: BinEntryRow
  /** What it is called from now on: a slug, label, handle or name. */
  readonly ref: string
  /** The error where that is taken. */
  readonly taken: SvcError
  /** Takes what does not come back. */
  readonly notes: string[]
}

/** How each kind comes back: what is checked before, what differs from the rows that were deleted, what follows. */
export type Restorers = Readonly<Record<BinKind, (restoring: Restoring) => Promise<void>>>

/** A table with how its rows are adjusted. */
export type AdjustedTable = readonly [table: PgTable, adjust: Adjust]

/** Entries of the search index get new numbers: the old ones may be taken. */
function numbered(tx: Transaction): (rows: readonly StoredRow[]) => Promise<readonly StoredRow[]> {
  let next: number | undefined
  return async (rows) => {
    let id = next ?? (await nextEntryId(tx))
    next = id + rows.length
    return rows.map((row) => ({ ...row, id: id++ }))
  }
}

/** Adjusts the rows of some tables; the others are inserted as they were. */
export function adjusting(tx: Transaction, own: readonly AdjustedTable[]): Adjust {
  const renumber = numbered(tx)
  const byTable = new Map<PgTable, Adjust>([[searchEntries, (_, rows) => renumber(rows)], ...own])
  return (table, rows) => byTable.get(table)?.(table, rows) ?? Promise.resolve(rows)
}

/** The project that something belonged to. @throws SvcError `bin-project-missing` */
export async function projectOf({ tx, entry }: Restoring): Promise<typeof projects.$inferSelect> {
  const { tenantId, projectId, projectSlug, kind, name } = entry
  const [row] = await tx
    .select()
    .from(projects)
    .where(inTenant(projects, tenantId, eq(projects.id, projectId ?? '')))
  if (!row)
    throw new SvcError('bin-project-missing', {
      kind: binKindNames[kind],
      name,
      project: projectSlug ?? projectId ?? '',
    })
  return row
}

/** Bindings name linked accounts without a foreign key: those that were removed meanwhile are named no more. */
export function knownAccounts({ tx, entry }: Restoring): AdjustedTable {
  return [
    draftBindings,
    async (_, rows) => {
      const own = await tx
        .select({ id: linkedAccounts.id })
        .from(linkedAccounts)
        .where(inTenant(linkedAccounts, entry.tenantId))
      const known = new Set<unknown>(own.map(({ id }) => id))
      return rows.map((row) => (known.has(row['linkedAccountId']) ? row : { ...row, linkedAccountId: null }))
    },
  ]
}
