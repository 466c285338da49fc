import { eq, inArray } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { webhookAttempts, webhookDeliveries, webhookSubscriptions } from '../../db/tables.gen.ts'
import { recordAudit } from '../auth/audit.ts'
import type { Claim, DeliveryRow, SubscriptionRow } from './claim.ts'
import type { Attempt } from './send.ts'
import { afterAttempt, afterOutcome, type Health, type Rules } from './state.ts'

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
  it: Pick<SubscriptionRow, 'id' | 'tenantId'>,
  at: string,
): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ status: 'cancelled', dueAt: null, claim: null, lastError: 'subscription-inactive', updatedAt: at })
    .where(
      inTenant(
        webhookDeliveries,
        it.tenantId,
        eq(webhookDeliveries.subscriptionId, it.id),
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
 */
export async function recordAttempts(tx: Transaction, made: readonly Made[], rules: () => Rules): Promise<void> {
  const bySubscription = Map.groupBy(made, ({ claim }) => claim.subscription.id)
  // In one order everywhere: two transactions never wait for each other's rows.
  const groups = [...bySubscription].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [, group] of groups) {
    const [first] = group
    if (first === undefined) continue
    const { id, tenantId } = first.claim.subscription
    const [row] = await tx
      .select()
      .from(webhookSubscriptions)
      .where(inTenant(webhookSubscriptions, tenantId, eq(webhookSubscriptions.id, id)))
      .for('update')
    if (row === undefined) continue
    const before = healthOf(row)
    let health = before
    let diedAt: string | null = null
    for (const { claim, delivery, attempt } of group) {
      const now = rules()
      const next = afterOutcome(health, attempt.outcome, now)
      const state = { ...delivery, dueAt: null }
      const after = afterAttempt(state, attempt.outcome, next.active, now)
      const [held] = await tx
        .update(webhookDeliveries)
        .set({
          status: after.status,
          attemptCount: after.attemptCount,
          dueAt: text(after.dueAt),
          lastError: after.lastError,
          claim: null,
          updatedAt: isoOf(now.now),
        })
        .where(
          inTenant(
            webhookDeliveries,
            tenantId,
            eq(webhookDeliveries.id, delivery.id),
            eq(webhookDeliveries.claim, claim.id),
          ),
        )
        .returning({ id: webhookDeliveries.id })
      if (held === undefined) continue
      health = next
      if (after.status === 'dead_letter') diedAt = isoOf(now.now)
      await tx.insert(webhookAttempts).values({
        deliveryId: delivery.id,
        tenantId,
        attempt: after.attemptCount,
        startedAt: isoOf(attempt.startedAt),
        durationMs: attempt.durationMs,
        statusCode: attempt.statusCode,
        errorClass: attempt.outcome.errorClass,
      })
    }
    const isChanged = JSON.stringify(before) !== JSON.stringify(health) || diedAt !== null
    if (isChanged) await storeHealth(tx, row, health, diedAt, rules().now)
  }
}
