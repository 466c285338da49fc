import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { draftBindings } from '../../db/tables.gen.ts'
import { release, type ReleaseReason } from '../../src/bindings/state.ts'
import type { Deps } from '../kit/door.ts'
import { boundOf, candidatesOf, writeStatuses, type BindingRow } from './record.ts'

/** Ends a binding with its outstanding candidates. */
export async function releaseRow(
  deps: Deps,
  tx: Transaction,
  row: BindingRow,
  reason: ReleaseReason,
  by: string | null,
): Promise<void> {
  const at = deps.clock.iso()
  await tx.lock(`binding ${row.id}`)
  const before = await candidatesOf(tx, row.tenantId, [row.id])
  const next = release(boundOf(row, before), reason)
  await tx
    .update(draftBindings)
    .set({
      isActive: next.binding.isActive,
      releaseReason: next.binding.releaseReason,
      releasedAt: at,
      releasedBy: by,
      updatedAt: at,
    })
    .where(inTenant(draftBindings, row.tenantId, eq(draftBindings.id, row.id)))
  await writeStatuses(tx, before, next, { resolvedAt: at, resolvedBy: by })
}
