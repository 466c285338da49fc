import { count, desc, eq, max } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { webhookDeliveries, webhookSubscriptions } from '../../db/tables.gen.ts'

/** A subscription that needs somebody. */
export interface FailingWebhook {
  readonly id: string
  /** What people call it: its name or its URL. */
  readonly name: string
  /** Why the service switched it off; null: it did not. */
  readonly disabledReason: (typeof webhookSubscriptions.$inferSelect)['disabledReason']
  /** How many deliveries were given up. */
  readonly givenUp: number
  /** Why the last of them was. */
  readonly lastError: string | null
  /** When the last one was given up, or when it was switched off, whichever was later. */
  readonly at: string
}

/** The subscriptions that have dead letters, and those that the service switched off. */
export async function failingWebhooks(read: Reader, tenantId: string): Promise<readonly FailingWebhook[]> {
  const counts = await read
    .select({ id: webhookDeliveries.subscriptionId, n: count(), last: max(webhookDeliveries.updatedAt) })
    .from(webhookDeliveries)
    .where(inTenant(webhookDeliveries, tenantId, eq(webhookDeliveries.status, 'dead_letter')))
    .groupBy(webhookDeliveries.subscriptionId)
  const dead = new Map(counts.map((row) => [row.id, row]))
  const rows = await read
    .select({
      id: webhookSubscriptions.id,
      url: webhookSubscriptions.url,
      name: webhookSubscriptions.name,
      disabledReason: webhookSubscriptions.disabledReason,
      disabledAt: webhookSubscriptions.disabledAt,
    })
    .from(webhookSubscriptions)
    .where(inTenant(webhookSubscriptions, tenantId))
  const failing = rows.map(async ({ disabledAt, url, name, ...row }): Promise<FailingWebhook[]> => {
    const { n = 0, last = null } = dead.get(row.id) ?? {}
    const [at] = [last, row.disabledReason === null ? null : disabledAt]
      .filter((it) => it !== null)
      .toSorted()
      .toReversed()
    if (at === undefined) return []
    // A plan limits how many subscriptions there are.
    const lastError = n === 0 ? null : await lastErrorOf(read, tenantId, row.id)
    return [{ ...row, name: name ?? url, givenUp: n, lastError, at }]
  })
  return (await Promise.all(failing)).flat()
}

async function lastErrorOf(read: Reader, tenantId: string, id: string): Promise<string | null> {
  const [row] = await read
    .select({ lastError: webhookDeliveries.lastError })
    .from(webhookDeliveries)
    .where(
      inTenant(
        webhookDeliveries,
        tenantId,
        eq(webhookDeliveries.status, 'dead_letter'),
        eq(webhookDeliveries.subscriptionId, id),
      ),
    )
    .orderBy(desc(webhookDeliveries.updatedAt), desc(webhookDeliveries.id))
    .limit(1)
  return row?.lastError ?? null
}
