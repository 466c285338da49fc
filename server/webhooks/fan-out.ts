import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { tenants, webhookDeliveries, webhookSubscriptions } from '../../db/tables.gen.ts'
import type { MinSeverity } from '../../db/tables/webhooks.ts'
import type { Deps } from '../deps.ts'
import { bodyOfEvent, mostBodyBytes, type PublicEvent } from './event-body.ts'

const ranks: Readonly<Record<MinSeverity, number>> = { 'docs-only': 1, 'non-breaking': 2, breaking: 3 }

/**
 * Whether a subscription receives an event. Only publications are filtered. An undecided change has the severity breaking; a
 * first publication was compared with nothing, has no severity, and meets no filter.
 */
export function passesFilter(event: PublicEvent, minSeverity: MinSeverity | null): boolean {
  if (event.type !== 'version.published' || minSeverity === null) return true
  const { max_severity: severity } = event.payload
  return severity !== null && ranks[severity] >= ranks[minSeverity]
}

/**
 * Writes a delivery for each subscription that receives the event. For one that is not active it is kept as cancelled, so that
 * what was missed can be replayed.
 */
export async function fanOut(deps: Deps, tx: Transaction, event: PublicEvent): Promise<void> {
  const { tenantId } = event
  const subscriptions = await tx
    .select({
      id: webhookSubscriptions.id,
      active: webhookSubscriptions.active,
      minSeverity: webhookSubscriptions.minSeverity,
    })
    .from(webhookSubscriptions)
    .where(inTenant(webhookSubscriptions, tenantId))
  const receivers = subscriptions.filter(({ minSeverity }) => passesFilter(event, minSeverity))
  if (receivers.length === 0) return
  const [tenant] = await tx.select({ slug: tenants.slug }).from(tenants).where(eq(tenants.id, tenantId))
  const body = JSON.stringify(bodyOfEvent(event, { publicUrl: deps.publicUrl(), tenant: tenant?.slug ?? '' }))
  if (Buffer.byteLength(body) > mostBodyBytes) throw new Error(`The body of the event ${event.id} is too large.`)
  const at = deps.clock.iso()
  await tx
    .insert(webhookDeliveries)
    .values(
      receivers.map(({ id, active }) => ({
        id: newId(),
        tenantId,
        subscriptionId: id,
        eventId: event.id,
        eventType: event.type,
        status: active ? ('pending' as const) : ('cancelled' as const),
        body,
        attemptCount: 0,
        scheduledFrom: 0,
        dueAt: active ? at : null,
        claim: null,
        lastError: active ? null : 'subscription-inactive',
        createdAt: event.createdAt,
        updatedAt: at,
      })),
    )
    .onConflictDoNothing()
  tx.afterCommit(() => deps.wake())
}
