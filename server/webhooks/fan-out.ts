import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { tenants, webhookDeliveries, webhookSubscriptions } from '../../db/tables.gen.ts'
import type { MinSeverity } from '../../db/tables/webhooks.ts'
import type { Deps } from '../kit/door.ts'
import type { PublicEvent } from '../outbox/door.ts'
import { bodyOfEvent, mostBodyBytes } from './event-body.ts'

const ranks: Readonly<Record<MinSeverity, number>> = { 'docs-only': 1, 'non-breaking': 2, breaking: 3 }

/** What a subscription is limited to. */
export interface Filters {
  readonly minSeverity: MinSeverity | null
  /** Null: of all. */
  readonly eventTypes: readonly string[] | null
  /** Null: all events, also those of no project. */
  readonly projectIds: readonly string[] | null
}

const projectOf = ({ payload }: PublicEvent): string | null =>
  'project_id' in payload && typeof payload.project_id === 'string' ? payload.project_id : null

function meetsSeverity(event: PublicEvent, minSeverity: MinSeverity | null): boolean {
  if (event.type !== 'version.published' || minSeverity === null) return true
  const { max_severity: severity } = event.payload
  return severity !== null && ranks[severity] >= ranks[minSeverity]
}

/**
 * Whether a subscription receives an event. By severity only publications are filtered. An undecided change has the severity breaking; a
 * first publication was compared with nothing, has no severity, and meets no filter.
 */
export function passesFilter(event: PublicEvent, { minSeverity, eventTypes, projectIds }: Filters): boolean {
  if (eventTypes !== null && !eventTypes.includes(event.type)) return false
  if (projectIds !== null && !projectIds.includes(projectOf(event) ?? '')) return false
  return meetsSeverity(event, minSeverity)
}

/** Rows of one statement: both databases limit its parameters. */
const rowsAtOnce = 500

/**
 * Writes a delivery for each subscription that receives an event. For one that is not active it is kept as cancelled, so that
 * what was missed can be replayed.
 */
export async function fanOut(deps: Deps, tx: Transaction, events: readonly PublicEvent[]): Promise<void> {
  const rows: NewDelivery[] = []
  for (const [tenantId, some] of Map.groupBy(events, (event) => event.tenantId))
    rows.push(...(await deliveriesOf(deps, tx, tenantId, some)))
  for (let n = 0; n < rows.length; n += rowsAtOnce)
    await tx
      .insert(webhookDeliveries)
      .values(rows.slice(n, n + rowsAtOnce))
      .onConflictDoNothing()
  if (rows.length > 0) tx.afterCommit(() => deps.wake())
}

type NewDelivery = typeof webhookDeliveries.$inferInsert

async function deliveriesOf(
  deps: Deps,
  tx: Transaction,
  tenantId: string,
  events: readonly PublicEvent[],
): Promise<NewDelivery[]> {
  const subscriptions = await tx
    .select({
      id: webhookSubscriptions.id,
      active: webhookSubscriptions.active,
      minSeverity: webhookSubscriptions.minSeverity,
      eventTypes: webhookSubscriptions.eventTypes,
      projectIds: webhookSubscriptions.projectIds,
    })
    .from(webhookSubscriptions)
    .where(inTenant(webhookSubscriptions, tenantId))
  if (subscriptions.length === 0) return []
  const [tenant] = await tx.select({ slug: tenants.slug }).from(tenants).where(eq(tenants.id, tenantId))
  const place = { publicUrl: deps.publicUrl(), tenant: tenant?.slug ?? '' }
  const at = deps.clock.iso()
  return events.flatMap((event) => {
    const receivers = subscriptions.filter((subscription) => passesFilter(event, subscription))
    if (receivers.length === 0) return []
    const body = JSON.stringify(bodyOfEvent(event, place))
    if (Buffer.byteLength(body) > mostBodyBytes) throw new Error(`The body of the event ${event.id} is too large.`)
    return receivers.map(({ id, active }) => ({
      id: newId(),
      tenantId,
      subscriptionId: id,
      eventId: event.id,
      eventType: event.type,
      status: active ? ('pending' as const) : ('cancelled' as const),
      body,
      attemptCount: 0,
      scheduledFrom: 0,
      // What is left out is null.
      ...(active ? { dueAt: at } : { lastError: 'subscription-inactive' }),
      createdAt: event.createdAt,
      updatedAt: at,
    }))
  })
}
