import { and, eq, isNotNull } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { consumers } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { projectOf, type Restoring } from '../bin/door.ts'

/**
 * Restores a consumer that was retired.
 * @throws SvcError `bin-name-taken`, `bin-project-missing`, `bin-entry-not-found`
 */
export async function restoreConsumer(restoring: Restoring): Promise<void> {
  const { tx, entry, ref } = restoring
  const project = await projectOf(restoring)
  await tx.lock(`consumer ${entry.id}`)
  const ofTenant = (...where: Parameters<typeof and>) => inTenant(consumers, entry.tenantId, and(...where))
  const [other] = await tx
    .select({ id: consumers.id })
    .from(consumers)
    .where(ofTenant(eq(consumers.projectId, project.id), eq(consumers.liveHandle, ref)))
  if (other) throw restoring.taken
  const [row] = await tx
    .update(consumers)
    .set({
      handle: ref,
      liveHandle: ref,
      retiredAt: null,
      updatedAt: entry.detail['updatedAt'] as string,
    })
    .where(ofTenant(eq(consumers.id, entry.id), isNotNull(consumers.retiredAt)))
    .returning({ id: consumers.id })
  if (!row) throw new SvcError('bin-entry-not-found', { entry: entry.id })
}
