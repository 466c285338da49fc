import { eq } from 'drizzle-orm'
import { bringBack } from '../../db/bin/bring-back.ts'
import { inTenant } from '../../db/conditions.ts'
import { webhookSubscriptions } from '../../db/tables.gen.ts'
import { adjusting, type Restoring } from '../bin/door.ts'
import { assertWebhookRoom } from './service.ts'

/**
 * Restores a webhook subscription from the bin, without its deliveries.
 * @throws SvcError `bin-name-taken`, `quota-exceeded`
 */
export async function restoreWebhook(restoring: Restoring): Promise<void> {
  const { deps, tx, entry } = restoring
  const { tenantId } = entry
  await assertWebhookRoom(deps, tx, tenantId)
  const [other] = await tx
    .select({ id: webhookSubscriptions.id })
    .from(webhookSubscriptions)
    .where(inTenant(webhookSubscriptions, tenantId, eq(webhookSubscriptions.urlKey, entry.detail['urlKey'] as string)))
  if (other) throw restoring.taken
  await bringBack(tx, entry, adjusting(tx, []))
  restoring.notes.push('Its deliveries and dead letters are not restored.')
}
