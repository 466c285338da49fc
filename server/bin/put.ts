import { eq } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { binEntries } from '../../db/tables.gen.ts'
import { binDays, type BinKind } from '../../src/api/bin-kinds.ts'
import { actorOf, type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { forgetSome } from './forget.ts'

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

/**
 * Opens an entry of the bin for what the transaction is about to delete; `removeFirst` puts into it what it removes. The caller has
 * checked that it may be deleted.
 */
export async function putInBin(deps: Deps, grant: Grant, tx: Transaction, deleted: Deleted): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  const now = deps.clock.now()
  await forgetSome(deps.vault, tx, tenantId, now)
  // A consumer that was retired, restored by other means and retired again replaces what was kept of it.
  await tx.delete(binEntries).where(inTenant(binEntries, tenantId, eq(binEntries.id, deleted.id)))
  await tx.insert(binEntries).values({
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
}
