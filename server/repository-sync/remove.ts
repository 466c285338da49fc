import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { repositoryHooks } from '../../db/tables.gen.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import { activeBindingsOf, releaseRow } from '../bindings/door.ts'
import { removeFirst, removeInParts } from '../deletion/door.ts'
import type { Deps } from '../kit/door.ts'
import { findRepository } from '../repositories/door.ts'
import { unschedule } from '../schedule/door.ts'

/**
 * Removes a registration with its index; versions that were imported stay.
 * @throws SvcError `repository-not-found`
 */
export async function removeRepository(deps: Deps, grant: Grant, id: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  await deps.db.inTransaction(async (tx) => {
    const row = await findRepository(tx, tenantId, id)
    for (const bound of await activeBindingsOf(tx, row))
      await releaseRow(deps, tx, bound, 'repository_removed', actorOf(grant))
    const hooked = inTenant(repositoryHooks, tenantId, eq(repositoryHooks.repositoryId, id))
    for (const hook of await tx.select().from(repositoryHooks).where(hooked))
      for (const secret of [hook.secretId, hook.previousSecretId])
        if (secret !== null) await deps.vault.remove(tx, tenantId, secret)
    await removeFirst(deps, tx, { kind: 'repository', tenantId, id })
    for (const kind of ['repository.scan', 'repository.poll', 'repository.push', 'repository.reports'] as const)
      await unschedule(tx, kind, id)
    const { principal: actor } = grant
    const detail = { host: row.host, repository: row.fullName }
    await recordAudit(tx, {
      tenantId,
      actor,
      action: 'repository.removed',
      targetId: id,
      detail,
      at: deps.clock.iso(),
    })
  })
  await removeInParts(deps, id)
}
