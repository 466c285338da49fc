import { and, eq, lte } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { Keeper } from '../../db/bin/keep.ts'
import { isoOf } from '../../db/clock.ts'
import { inTenant, type TenantTable } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { binEntries } from '../../db/tables.gen.ts'
import { binDays, type BinKind } from '../../src/api/bin-kinds.ts'
import { actorOf, type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { forget } from './forget.ts'

const dayMs = 24 * 3_600_000

/** What is deleted. */
export interface Deleted {
  readonly kind: BinKind
  readonly id: string
  readonly name: string
  readonly ref: string
  readonly project?: { readonly id: string; readonly slug: string }
  /** What restoring needs to know and no table has. */
  readonly detail?: Readonly<Record<string, unknown>>
  /** Secrets that stay in the vault until it is deleted permanently. */
  readonly secretIds?: readonly string[]
}

/** What is kept of it. */
export interface Kept {
  /** Its row goes with everything that the foreign keys lead to. */
  readonly root?: TenantTable & { readonly id: PgColumn }
  readonly leftOut?: readonly PgTable[]
  /** Rows that no foreign key leads to, by the values of a column. */
  readonly more?: readonly (readonly [table: TenantTable, column: PgColumn, values: readonly string[]])[]
  /** What is counted for the list. */
  readonly counted?: Readonly<Record<string, PgTable>>
}

/** Keeps in the bin what the transaction is about to delete. The caller has checked that it may be deleted. */
export async function putInBin(deps: Deps, grant: Grant, tx: Transaction, deleted: Deleted, kept: Kept): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  const now = deps.clock.now()
  // On a workspace without a server nothing else removes what is too old.
  const old = and(inTenant(binEntries, tenantId), lte(binEntries.expiresAt, isoOf(now)))
  for (const row of await tx.select().from(binEntries).where(old)) await forget(deps.vault, tx, row)
  // A consumer that was retired, restored by other means and retired again replaces what was kept of it.
  for (const row of await tx
    .select()
    .from(binEntries)
    .where(inTenant(binEntries, tenantId, eq(binEntries.id, deleted.id))))
    await forget(deps.vault, tx, row)
  const keeper = await Keeper.open(tx, {
    id: deleted.id,
    tenantId,
    kind: deleted.kind,
    name: deleted.name,
    ref: deleted.ref,
    projectId: deleted.project?.id ?? null,
    projectSlug: deleted.project?.slug ?? null,
    counts: {},
    detail: deleted.detail ?? {},
    secretIds: deleted.secretIds ?? [],
    sizeBytes: 0,
    deletedBy: actorOf(grant),
    deletedAt: isoOf(now),
    expiresAt: isoOf(now + binDays * dayMs),
  })
  if (kept.root) await keeper.keepWithAll(kept.root, [deleted.id], kept.leftOut ?? [])
  for (const [table, column, values] of kept.more ?? []) await keeper.keepRows(table, column, values)
  const counts = Object.entries(kept.counted ?? {}).map(([name, table]) => [name, keeper.countOf(table)] as const)
  await keeper.close({ counts: Object.fromEntries(counts.filter(([, n]) => n > 0)) })
}
