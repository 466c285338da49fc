import { SvcError } from '../../src/errors.ts'
import type { Delivery, Subscription } from '../../src/api/webhooks.ts'
import { webhookEventTypes } from '../../src/api/webhook-events.ts'
import { asc, desc, eq, inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects, webhookDeliveries, webhookSubscriptions } from '../../db/tables.gen.ts'
import type { DeliveryRow, SubscriptionRow } from './claim.ts'

/** The delivery of the latest event of a subscription; null where there is none. */
async function lastDeliveryOf(
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

/** The projects that a subscription is limited to, as far as they exist; null: it is not limited. */
async function projectsOf(
  reader: Reader,
  { tenantId, projectIds }: Pick<SubscriptionRow, 'tenantId' | 'projectIds'>,
): Promise<Subscription['projects']> {
  if (projectIds === null) return null
  return reader
    .select({ id: projects.id, slug: projects.slug, name: projects.name })
    .from(projects)
    .where(inTenant(projects, tenantId, inArray(projects.id, [...projectIds])))
    .orderBy(asc(projects.slug))
}

/** A subscription as callers see it: never its secret. */
export async function toSubscription(reader: Reader, row: SubscriptionRow, now: string): Promise<Subscription> {
  const overlaps = row.previousSecretRef !== null && row.previousUntil !== null && row.previousUntil > now
  const fingerprint = row.previousSecretRef?.split(':')[1] ?? ''
  const previous = overlaps ? ` previous:${fingerprint}@${row.previousUntil}` : ''
  return {
    id: row.id,
    url: row.url,
    active: row.active,
    signingSecretRef: row.secretRef + previous,
    minSeverity: row.minSeverity,
    name: row.name,
    eventTypes: row.eventTypes === null ? null : webhookEventTypes.filter((it) => row.eventTypes?.includes(it)),
    projects: await projectsOf(reader, row),
    keepAnswers: row.keepsAnswers === true,
    disabledReason: row.disabledReason,
    disabledAt: row.disabledAt,
    failingSince: row.failingSince,
    pausedUntil: row.pausedUntil,
    lastDelivery: await lastDeliveryOf(reader, row),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

/** When an attempt that is due is made at the earliest: not while the subscription pauses. */
export const notBefore = (dueAt: string | null, pausedUntil: string | null): string | null =>
  dueAt !== null && pausedUntil !== null && pausedUntil > dueAt ? pausedUntil : dueAt

/**
 * A delivery as callers see it.
 * @param pausedUntil of its subscription
 */
export function toDelivery(row: DeliveryRow, pausedUntil: string | null): Delivery {
  return {
    id: row.id,
    subscriptionId: row.subscriptionId,
    eventType: row.eventType,
    status: row.status,
    payload: JSON.parse(row.body) as Record<string, unknown>,
    attemptCount: row.attemptCount,
    nextRetryAt: row.status === 'pending' || row.status === 'retrying' ? notBefore(row.dueAt, pausedUntil) : null,
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
