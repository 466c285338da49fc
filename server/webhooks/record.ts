import { SvcError } from '../../src/errors.ts'
import type { Delivery, Subscription } from '../../src/api/webhooks.ts'
import { desc, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { webhookDeliveries, webhookSubscriptions } from '../../db/tables.gen.ts'
import type { DeliveryRow, SubscriptionRow } from './claim.ts'

/** The delivery of the latest event of a subscription; null where there is none. */
export async function lastDeliveryOf(
  reader: Reader,
  { tenantId, id }: Pick<SubscriptionRow, 'tenantId' | 'id'>,
): Promise<Subscription['lastDelivery']> {
  const { eventType, status, createdAt } = webhookDeliveries
  const [row] = await reader
    .select({ id: webhookDeliveries.id, eventType, status, createdAt })
    .from(webhookDeliveries)
    .where(inTenant(webhookDeliveries, tenantId, eq(webhookDeliveries.subscriptionId, id)))
    .orderBy(desc(createdAt), desc(webhookDeliveries.id))
    .limit(1)
  return row ?? null
}

/** A subscription as callers see it: never its secret. */
export function toSubscription(
  row: SubscriptionRow,
  now: string,
  lastDelivery: Subscription['lastDelivery'],
): Subscription {
  const overlaps = row.previousSecretRef !== null && row.previousUntil !== null && row.previousUntil > now
  const fingerprint = row.previousSecretRef?.split(':')[1] ?? ''
  const previous = overlaps ? ` previous:${fingerprint}@${row.previousUntil}` : ''
  return {
    id: row.id,
    url: row.url,
    active: row.active,
    signingSecretRef: row.secretRef + previous,
    minSeverity: row.minSeverity,
    disabledReason: row.disabledReason,
    disabledAt: row.disabledAt,
    failingSince: row.failingSince,
    pausedUntil: row.pausedUntil,
    lastDelivery,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

/** A delivery as callers see it. */
export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    subscriptionId: row.subscriptionId,
    eventType: row.eventType,
    status: row.status,
    payload: JSON.parse(row.body) as Record<string, unknown>,
    attemptCount: row.attemptCount,
    nextRetryAt: row.status === 'pending' || row.status === 'retrying' ? row.dueAt : null,
    lastError: row.lastError,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

/** @throws SvcError `webhook-not-found` */
export async function findSubscription(reader: Reader, tenantId: string, id: string): Promise<SubscriptionRow> {
  const own = inTenant(webhookSubscriptions, tenantId, eq(webhookSubscriptions.id, id))
  const [row] = await reader.select().from(webhookSubscriptions).where(own)
  if (!row) throw new SvcError('webhook-not-found', { subscription: id })
  return row
}
