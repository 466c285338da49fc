import { eq } from 'drizzle-orm'
import { bringBack, type Adjust } from '../../db/bin/bring-back.ts'
import type { StoredRow } from '../../db/bin/keep.ts'
import { inTenant } from '../../db/conditions.ts'
import { numberTypes } from '../../db/primitives/search-ids.ts'
import { primitives } from '../../db/tables.gen.ts'
import { adjusting, type Restoring } from '../bin/door.ts'
import { followTypes } from '../embeddings/door.ts'
import { lockRegistry } from './write.ts'

/**
 * Restores a type from the bin with its revisions.
 * @throws SvcError `bin-name-taken`
 */
export async function restoreType(restoring: Restoring): Promise<void> {
  const { deps, tx, entry } = restoring
  const { tenantId } = entry
  await lockRegistry(tx, tenantId)
  const found: StoredRow[] = await tx
    .select({ id: primitives.id })
    .from(primitives)
    .where(inTenant(primitives, tenantId, eq(primitives.ref, entry.ref)))
    .limit(1)
  if (found.length > 0) throw restoring.taken
  const renumber: Adjust = async (_, rows) => {
    const [row] = rows as readonly (typeof primitives.$inferSelect)[]
    if (row === undefined) return []
    return [{ ...row, searchId: await numberTypes(tx, tenantId, { scope: row.scope, types: 1 }) }]
  }
  await bringBack(tx, entry, adjusting(tx, [[primitives, renumber]]))
  await followTypes(deps, tx, tenantId)
}
