import { asc, eq, inArray, sql } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant, padded } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { webhookAttempts, webhookDeliveries, webhookSubscriptions } from '../../db/tables.gen.ts'
import { compareText } from '../../src/kernel/order.ts'
import { recordAudit } from '../auth/door.ts'
import type { Claim, DeliveryRow, SubscriptionRow } from './claim.ts'
import type { Attempt } from './send.ts'
import { afterAttempt, afterOutcome, type DeliveryState, type Health, type Rules } from './state.ts'

/** An attempt that was made, with what it was made for. */
export interface Made {
  readonly claim: Claim
  readonly delivery: DeliveryRow
  readonly attempt: Attempt
}

const instant = (text: string | null): number | null => (text === null ? null : Date.parse(text))
const text = (at: number | null): string | null => (at === null ? null : isoOf(at))

const healthOf = (row: SubscriptionRow): Health => ({
  active: row.active,
  failures: row.failures,
  failingSince: instant(row.failingSince),
  pausedUntil: instant(row.pausedUntil),
  disabledReason: row.disabledReason,
})

/** Ends what waits for a subscription that is not active any more; it is kept and can be replayed. */
export async function cancelWaiting(
  tx: Transaction,
  row: Pick<SubscriptionRow, 'id' | 'tenantId'>,
  at: string,
): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ status: 'cancelled', dueAt: null, claim: null, lastError: 'subscription-inactive', updatedAt: at })
    .where(
      inTenant(
        webhookDeliveries,
        row.tenantId,
        eq(webhookDeliveries.subscriptionId, row.id),
        inArray(webhookDeliveries.status, ['pending', 'retrying']),
      ),
    )
}

async function storeHealth(tx: Transaction, row: SubscriptionRow, next: Health, diedAt: string | null, now: number) {
  const { active, failures, disabledReason } = next
  const at = isoOf(now)
  await tx
    .update(webhookSubscriptions)
    .set({
      active,
      failures,
      disabledReason,
      failingSince: text(next.failingSince),
      pausedUntil: text(next.pausedUntil),
      disabledAt: row.active && !active ? at : row.disabledAt,
      deadLetterAt: diedAt ?? row.deadLetterAt,
      updatedAt: row.active && !active ? at : row.updatedAt,
    })
    .where(inTenant(webhookSubscriptions, row.tenantId, eq(webhookSubscriptions.id, row.id)))
  if (!row.active || active) return
  await cancelWaiting(tx, row, at)
  const detail = { url: row.url, reason: disabledReason }
  await recordAudit(tx, {
    tenantId: row.tenantId,
    actor: null,
    action: 'webhook.disabled',
    targetId: row.id,
    detail,
    at,
  })
}

/**
 * Writes attempts with what follows from them, in the order in which they ended. An attempt whose delivery another worker has
 * taken over, or that was deleted meanwhile, changes nothing.
 * @returns when the first of the next attempts is due, in milliseconds since the epoch; null: none is
 */
export async function recordAttempts(
  tx: Transaction,
  made: readonly Made[],
  rules: () => Rules,
): Promise<number | null> {
  let next: number | null = null
  const byTenant = Map.groupBy(made, ({ claim }) => claim.subscription.tenantId)
  // In one order everywhere: two transactions never wait for each other's rows.
  for (const [tenantId, group] of [...byTenant].toSorted(([a], [b]) => compareText(a, b))) {
    const ids = padded([...new Set(group.map(({ claim }) => claim.subscription.id))].toSorted())
    const subscriptions = await tx
      .select()
      .from(webhookSubscriptions)
      .where(inTenant(webhookSubscriptions, tenantId, inArray(webhookSubscriptions.id, ids)))
      .orderBy(asc(webhookSubscriptions.id))
      .for('update')
    const held = await heldOf(tx, tenantId, group)
    const accepted: Recorded[] = []
    const attempts: (typeof webhookAttempts.$inferInsert)[] = []
    for (const row of subscriptions) {
      const own = group.filter(({ claim, delivery }) => claim.subscription.id === row.id && held.has(delivery.id))
      const before = healthOf(row)
      let health = before
      let diedAt: string | null = null
      for (const it of own) {
        const now = rules()
        health = afterOutcome(health, it.attempt.outcome, now)
        const after = afterAttempt({ ...it.delivery, dueAt: null }, it.attempt.outcome, health.active, now)
        const recorded = { ...it, after, at: isoOf(now.now) }
        if (after.status === 'delivered') accepted.push(recorded)
        else await storeDelivery(tx, recorded)
        if (after.status === 'dead_letter') diedAt = recorded.at
        if (after.dueAt !== null) next = Math.min(next ?? after.dueAt, after.dueAt)
        attempts.push(attemptOf(recorded))
      }
      const isChanged = JSON.stringify(before) !== JSON.stringify(health) || diedAt !== null
      if (isChanged) await storeHealth(tx, row, health, diedAt, rules().now)
    }
    await storeAccepted(tx, tenantId, accepted)
    for (let n = 0; n < attempts.length; n += rowsAtOnce)
      await tx.insert(webhookAttempts).values(attempts.slice(n, n + rowsAtOnce))
  }
  return next
}

const rowsAtOnce = 500

interface Recorded extends Made {
  readonly after: DeliveryState
  readonly at: string
}

/** The deliveries that still belong to their claim. */
async function heldOf(tx: Transaction, tenantId: string, made: readonly Made[]): Promise<ReadonlySet<string>> {
  const claims = new Map(made.map(({ claim, delivery }) => [delivery.id, claim.id]))
  const rows = await tx
    .select({ id: webhookDeliveries.id, claim: webhookDeliveries.claim })
    .from(webhookDeliveries)
    .where(inTenant(webhookDeliveries, tenantId, inArray(webhookDeliveries.id, padded([...claims.keys()].toSorted()))))
    .for('update')
  return new Set(rows.flatMap(({ id, claim }) => (claim !== null && claims.get(id) === claim ? [id] : [])))
}

/** All that were accepted, in one statement: nothing but the count of attempts differs between them. */
async function storeAccepted(tx: Transaction, tenantId: string, accepted: readonly Recorded[]): Promise<void> {
  const at = accepted.at(-1)?.at
  if (at === undefined) return
  const ids = padded(accepted.map(({ delivery }) => delivery.id))
  await tx
    .update(webhookDeliveries)
    .set({
      status: 'delivered',
      attemptCount: sql`${webhookDeliveries.attemptCount} + 1`,
      dueAt: null,
      lastError: null,
      claim: null,
      updatedAt: at,
    })
    .where(inTenant(webhookDeliveries, tenantId, inArray(webhookDeliveries.id, ids)))
}

async function storeDelivery(tx: Transaction, { delivery, after, at }: Recorded): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({
      status: after.status,
      attemptCount: after.attemptCount,
      dueAt: text(after.dueAt),
      lastError: after.lastError,
      claim: null,
      updatedAt: at,
    })
    .where(inTenant(webhookDeliveries, delivery.tenantId, eq(webhookDeliveries.id, delivery.id)))
}

const attemptOf = ({ delivery, after, attempt }: Recorded) => ({
  deliveryId: delivery.id,
  tenantId: delivery.tenantId,
  attempt: after.attemptCount,
  startedAt: isoOf(attempt.startedAt),
  durationMs: attempt.durationMs,
  statusCode: attempt.statusCode,
  errorClass: attempt.outcome.errorClass,
  answer: attempt.answer,
})
