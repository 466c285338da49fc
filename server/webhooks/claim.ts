import { and, asc, count, eq, gt, inArray, isNull, lte, min, or } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Database, Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { webhookDeliveries, webhookSubscriptions } from '../../db/tables.gen.ts'
import { attemptTimeoutMs } from './send.ts'
import { failuresBeforePause } from './state.ts'

export type DeliveryRow = typeof webhookDeliveries.$inferSelect
export type SubscriptionRow = typeof webhookSubscriptions.$inferSelect

/** What a worker took of one subscription. */
export interface Claim {
  readonly subscription: SubscriptionRow
  readonly deliveries: readonly DeliveryRow[]
  /** Names the claim in its rows. */
  readonly id: string
  /** When others may take the rows over, in milliseconds since the epoch. */
  readonly until: number
}

/** How long a worker holds what it took: what a crash cuts off comes again within a minute. */
export const claimMs = attemptTimeoutMs + 30_000

/** How many attempts are under way at once to one receiver. */
export const attemptsAtOnce = 4

interface DueSubscription {
  readonly id: string
  readonly tenantId: string
  readonly failures: number
  readonly since: string
}

/** The subscriptions with something due that may be sent to now. */
async function dueSubscriptions(read: Reader, now: string): Promise<DueSubscription[]> {
  const rows = await read
    .select({
      id: webhookSubscriptions.id,
      tenantId: webhookSubscriptions.tenantId,
      failures: webhookSubscriptions.failures,
      since: min(webhookDeliveries.dueAt),
    })
    .from(webhookDeliveries)
    .innerJoin(webhookSubscriptions, eq(webhookSubscriptions.id, webhookDeliveries.subscriptionId))
    .where(
      and(
        lte(webhookDeliveries.dueAt, now),
        eq(webhookSubscriptions.active, true),
        or(isNull(webhookSubscriptions.pausedUntil), lte(webhookSubscriptions.pausedUntil, now)),
      ),
    )
    .groupBy(webhookSubscriptions.id, webhookSubscriptions.tenantId, webhookSubscriptions.failures)
  return rows.map((row) => ({ ...row, since: row.since ?? now }))
}

/** How many attempts other workers may have under way, by subscription. */
async function heldElsewhere(read: Reader, now: string): Promise<ReadonlyMap<string, number>> {
  const rows = await read
    .select({ id: webhookDeliveries.subscriptionId, n: count() })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.status, 'delivering'), gt(webhookDeliveries.dueAt, now)))
    .groupBy(webhookDeliveries.subscriptionId)
  return new Map(rows.map(({ id, n }) => [id, n]))
}

/**
 * Puts subscriptions in the order in which they are served: one of each organization in turn, so that none waits behind
 * another one's receivers; within an organization who waits longest.
 */
export function inFairOrder<T extends { readonly tenantId: string; readonly since: string }>(due: readonly T[]): T[] {
  const turns = new Map<string, number>()
  return due
    .toSorted((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0))
    .map((it) => {
      const turn = turns.get(it.tenantId) ?? 0
      turns.set(it.tenantId, turn + 1)
      return { it, turn }
    })
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ it }) => it)
}

/**
 * Takes deliveries that are due, of several subscriptions, in one transaction. What is taken is due for others again when the
 * claim has run out.
 * @param want how many the worker takes of a subscription at most
 * @param roomOf how many it takes of an organization
 * @param room how many it takes altogether
 */
export async function claimDue(
  db: Database,
  now: number,
  {
    want,
    roomOf,
    room,
  }: {
    readonly want: (subscriptionId: string) => number
    readonly roomOf: (tenantId: string) => number
    readonly room: number
  },
): Promise<readonly Claim[]> {
  const at = isoOf(now)
  const due = (await dueSubscriptions(db.read, at)).filter(({ id, tenantId }) => want(id) > 0 && roomOf(tenantId) > 0)
  if (due.length === 0) return []
  const held = await heldElsewhere(db.read, at)
  const free = inFairOrder(due.filter(({ id }) => (held.get(id) ?? 0) < attemptsAtOnce))
  if (free.length === 0) return []
  return db.inTransaction(async (tx) => {
    const claims: Claim[] = []
    let left = room
    const leftOf = new Map<string, number>()
    for (const it of free) {
      const ofTenant = leftOf.get(it.tenantId) ?? roomOf(it.tenantId)
      if (left <= 0) break
      if (ofTenant <= 0) continue
      // After many failures one attempt shows whether the receiver is back.
      const most = it.failures >= failuresBeforePause ? 1 : want(it.id)
      const claim = await claimOf(tx, it, Math.min(most, left, ofTenant), now)
      if (claim === null) continue
      claims.push(claim)
      left -= claim.deliveries.length
      leftOf.set(it.tenantId, ofTenant - claim.deliveries.length)
    }
    return claims
  })
}

async function claimOf(tx: Transaction, it: DueSubscription, most: number, now: number): Promise<Claim | null> {
  const deliveries = await tx
    .select()
    .from(webhookDeliveries)
    .where(
      inTenant(
        webhookDeliveries,
        it.tenantId,
        eq(webhookDeliveries.subscriptionId, it.id),
        lte(webhookDeliveries.dueAt, isoOf(now)),
      ),
    )
    .orderBy(asc(webhookDeliveries.dueAt), asc(webhookDeliveries.id))
    .limit(most)
    .for('update', { skipLocked: true })
  const own = inTenant(webhookSubscriptions, it.tenantId, eq(webhookSubscriptions.id, it.id))
  const [subscription] = await tx.select().from(webhookSubscriptions).where(own)
  if (deliveries.length === 0 || subscription === undefined || !subscription.active) return null
  const id = newId()
  const until = now + claimMs
  const ids = deliveries.map((delivery) => delivery.id)
  await tx
    .update(webhookDeliveries)
    .set({ status: 'delivering', claim: id, dueAt: isoOf(until), updatedAt: isoOf(now) })
    .where(inTenant(webhookDeliveries, it.tenantId, inArray(webhookDeliveries.id, ids)))
  return { subscription, deliveries, id, until }
}

/** Gives back what was taken and not attempted. */
export async function giveBack(
  tx: Transaction,
  claim: Claim,
  rows: readonly DeliveryRow[],
  now: number,
): Promise<void> {
  const { tenantId } = claim.subscription
  for (const { id, attemptCount, scheduledFrom } of rows)
    await tx
      .update(webhookDeliveries)
      .set({ status: attemptCount > scheduledFrom ? 'retrying' : 'pending', claim: null, dueAt: isoOf(now) })
      .where(inTenant(webhookDeliveries, tenantId, eq(webhookDeliveries.id, id), eq(webhookDeliveries.claim, claim.id)))
}
