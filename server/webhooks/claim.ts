import { and, asc, count, eq, exists, gt, inArray, isNull, lte, min, or, sql } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant, padded } from '../../db/conditions.ts'
import type { Database, Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { webhookDeliveries, webhookSubscriptions } from '../../db/tables.gen.ts'
import { compareText } from '../../src/kernel/order.ts'
import { Share } from '../loop/door.ts'
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

/** The subscriptions with something due that may be sent to now. Each costs a look at the index, however much is due. */
async function dueSubscriptions(read: Reader, now: string): Promise<DueSubscription[]> {
  const ofIt = eq(webhookDeliveries.subscriptionId, webhookSubscriptions.id)
  const first = read
    .select({ at: min(webhookDeliveries.dueAt) })
    .from(webhookDeliveries)
    .where(and(ofIt, lte(webhookDeliveries.dueAt, now)))
  const due = read
    .select({ one: sql`1` })
    .from(webhookDeliveries)
    .where(and(ofIt, lte(webhookDeliveries.dueAt, now)))
  const rows = await read
    .select({
      id: webhookSubscriptions.id,
      tenantId: webhookSubscriptions.tenantId,
      failures: webhookSubscriptions.failures,
      since: sql`(${first})`.mapWith(webhookDeliveries.dueAt),
    })
    .from(webhookSubscriptions)
    .where(
      and(
        eq(webhookSubscriptions.active, true),
        or(isNull(webhookSubscriptions.pausedUntil), lte(webhookSubscriptions.pausedUntil, now)),
        exists(due),
      ),
    )
  return rows.map((row) => ({ ...row, since: row.since ?? now }))
}

/** How many deliveries are under way, in all processes together, by subscription. */
async function underWay(read: Reader, now: string): Promise<ReadonlyMap<string, number>> {
  const rows = await read
    .select({ id: webhookDeliveries.subscriptionId, n: count() })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.status, 'delivering'), gt(webhookDeliveries.dueAt, now)))
    .groupBy(webhookDeliveries.subscriptionId)
  return new Map(rows.map(({ id, n }) => [id, n]))
}

/** How much a worker takes. */
export interface Room {
  /** Of a subscription at most. */
  readonly want: (subscriptionId: string) => number
  /** What the worker itself holds of a subscription. */
  readonly holds: (subscriptionId: string) => number
  /** Of an organization. */
  readonly ofTenant: (tenantId: string) => number
  /** Altogether. */
  readonly all: number
  /** In which order subscriptions are served; in turn between organizations when omitted. */
  readonly order?: (due: readonly DueSubscription[]) => readonly DueSubscription[]
}

const inTurn: NonNullable<Room['order']> = (due) => new Share(Number.POSITIVE_INFINITY).order(due)

/**
 * Takes deliveries that are due, of several subscriptions, in one transaction. What is taken is due for others again when the
 * claim has run out.
 */
export async function claimDue(db: Database, now: number, room: Room): Promise<readonly Claim[]> {
  const at = isoOf(now)
  const due = (await dueSubscriptions(db.read, at)).filter(({ id }) => room.want(id) > 0)
  if (due.length === 0) return []
  const held = await underWay(db.read, at)
  const free = due.filter(({ id }) => (held.get(id) ?? 0) - room.holds(id) < attemptsAtOnce)
  const portions = portionsOf((room.order ?? inTurn)(free), room)
  const ids = await Promise.all(portions.map(({ it, most }) => dueIds(db.read, it, most, at)))
  const byTenant = Map.groupBy(
    portions.map(({ it }, n) => ({ it, ids: ids[n] ?? [] })).filter((portion) => portion.ids.length > 0),
    ({ it }) => it.tenantId,
  )
  if (byTenant.size === 0) return []
  // In one order everywhere: two workers never wait for each other's rows.
  const tenants = [...byTenant].toSorted(([a], [b]) => compareText(a, b))
  return db.inTransaction(async (tx) => {
    const claims: Claim[] = []
    for (const [tenantId, some] of tenants) {
      const subscriptionIds = some.map(({ it }) => it.id)
      const deliveryIds = some.flatMap((portion) => portion.ids)
      claims.push(...(await claimOf(tx, tenantId, subscriptionIds, deliveryIds, now)))
    }
    return claims
  })
}

interface Portion {
  readonly it: DueSubscription
  readonly most: number
}

/** What each subscription may get, in their order, until the room is used. */
function portionsOf(due: readonly DueSubscription[], { want, ofTenant, all }: Room): Portion[] {
  let left = all
  const leftOf = new Map<string, number>()
  return due.flatMap((entry) => {
    const mine = leftOf.get(entry.tenantId) ?? ofTenant(entry.tenantId)
    // After many failures one attempt shows whether the receiver is back.
    const most = Math.min(entry.failures >= failuresBeforePause ? 1 : want(entry.id), left, mine)
    if (most <= 0) return []
    left -= most
    leftOf.set(entry.tenantId, mine - most)
    return [{ it: entry, most }]
  })
}

async function dueIds(
  read: Reader,
  subscription: DueSubscription,
  most: number,
  at: string,
): Promise<readonly string[]> {
  const rows = await read
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      inTenant(
        webhookDeliveries,
        subscription.tenantId,
        eq(webhookDeliveries.subscriptionId, subscription.id),
        lte(webhookDeliveries.dueAt, at),
      ),
    )
    .orderBy(asc(webhookDeliveries.dueAt), asc(webhookDeliveries.id))
    .limit(most)
  return rows.map(({ id }) => id)
}

/** Takes what of the deliveries is still due: another worker may have been faster. */
async function claimOf(
  tx: Transaction,
  tenantId: string,
  subscriptionIds: readonly string[],
  deliveryIds: readonly string[],
  now: number,
): Promise<Claim[]> {
  const subscriptions = await tx
    .select()
    .from(webhookSubscriptions)
    .where(
      inTenant(
        webhookSubscriptions,
        tenantId,
        inArray(webhookSubscriptions.id, padded(subscriptionIds)),
        eq(webhookSubscriptions.active, true),
      ),
    )
  if (subscriptions.length === 0) return []
  const id = newId()
  const until = now + claimMs
  const active = subscriptions.map((subscription) => subscription.id)
  const taken = await tx
    .update(webhookDeliveries)
    .set({ status: 'delivering', claim: id, dueAt: isoOf(until), updatedAt: isoOf(now) })
    .where(
      inTenant(
        webhookDeliveries,
        tenantId,
        inArray(webhookDeliveries.id, padded(deliveryIds)),
        lte(webhookDeliveries.dueAt, isoOf(now)),
        inArray(webhookDeliveries.subscriptionId, padded(active)),
      ),
    )
    .returning()
  const bySubscription = Map.groupBy(taken, ({ subscriptionId }) => subscriptionId)
  return subscriptions.flatMap((subscription) => {
    const deliveries = bySubscription.get(subscription.id)?.toSorted((a, b) => compareText(a.id, b.id)) ?? []
    return deliveries.length === 0 ? [] : [{ subscription, deliveries, id, until }]
  })
}

/** Gives back what was taken and not attempted. */
export async function giveBack(
  tx: Transaction,
  claim: Claim,
  rows: readonly DeliveryRow[],
  now: number,
): Promise<void> {
  const { tenantId } = claim.subscription
  const back = async (status: 'pending' | 'retrying', some: readonly DeliveryRow[]) => {
    if (some.length === 0) return
    const ids = inArray(webhookDeliveries.id, padded(some.map(({ id }) => id)))
    await tx
      .update(webhookDeliveries)
      .set({ status, claim: null, dueAt: isoOf(now) })
      .where(inTenant(webhookDeliveries, tenantId, ids, eq(webhookDeliveries.claim, claim.id)))
  }
  const isRetried = ({ attemptCount, scheduledFrom }: DeliveryRow) => attemptCount > scheduledFrom
  await back(
    'pending',
    rows.filter((row) => !isRetried(row)),
  )
  await back('retrying', rows.filter(isRetried))
}
