import { and, asc, desc, eq, gte, inArray, isNotNull, lte, min, ne, sql } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { webhookAttempts, webhookDeliveries, webhookSubscriptions } from '../../db/tables.gen.ts'
import { deliveryStatuses, type DeliveryStatus } from '../../db/tables/webhooks.ts'
import type { WebhookEventBody, WebhookEventType } from '../../src/api/webhook-events.ts'
import type { DeadLetter, Delivery, DeliveryDetail } from '../../src/api/webhooks.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import { type PageAnswer, type Deps, type Page, readStablePage, type StablePage } from '../kit/door.ts'
import type { DeliveryRow } from './claim.ts'
import { findSubscription, notBefore, toDelivery } from './record.ts'

/** Instants come in any notation of ISO 8601; rows have one. */
const instantOf = (text: string): string => isoOf(Date.parse(text))

async function findDelivery(reader: Reader, tenantId: string, id: string): Promise<DeliveryRow> {
  const own = inTenant(webhookDeliveries, tenantId, eq(webhookDeliveries.id, id))
  const [row] = await reader.select().from(webhookDeliveries).where(own)
  if (!row) throw new SvcError('delivery-not-found', { delivery: id })
  return row
}

async function detailOf(reader: Reader, row: DeliveryRow): Promise<DeliveryDetail> {
  const { pausedUntil } = await findSubscription(reader, row.tenantId, row.subscriptionId)
  const attempts = await reader
    .select()
    .from(webhookAttempts)
    .where(inTenant(webhookAttempts, row.tenantId, eq(webhookAttempts.deliveryId, row.id)))
    .orderBy(asc(webhookAttempts.attempt))
  return {
    ...toDelivery(row, pausedUntil),
    attempts: attempts.map((entry) => ({
      attempt: entry.attempt,
      started_at: entry.startedAt,
      duration_ms: entry.durationMs,
      status_code: entry.statusCode,
      error_class: entry.errorClass,
      answer: entry.answer,
    })),
  }
}

/** @throws SvcError `delivery-not-found` */
export async function getDelivery(deps: Deps, grant: Grant, id: string): Promise<DeliveryDetail> {
  return detailOf(deps.db.read, await findDelivery(deps.db.read, tenantOf(grant).id, id))
}

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined
  readonly type?: WebhookEventType | undefined
  readonly since?: string | undefined
}

/** @throws SvcError `webhook-not-found` */
export async function listDeliveries(
  deps: Deps,
  grant: Grant,
  subscriptionId: string,
  { status, type, since }: DeliveryFilter,
  page: StablePage,
): Promise<PageAnswer & { readonly deliveries: Delivery[]; readonly count: number }> {
  const { id: tenantId } = tenantOf(grant)
  const { pausedUntil } = await findSubscription(deps.db.read, tenantId, subscriptionId)
  const fits = inTenant(
    webhookDeliveries,
    tenantId,
    eq(webhookDeliveries.subscriptionId, subscriptionId),
    status === undefined ? undefined : eq(webhookDeliveries.status, status),
    type === undefined ? undefined : eq(webhookDeliveries.eventType, type),
    since === undefined ? undefined : gte(webhookDeliveries.createdAt, instantOf(since)),
  )
  const { rows, page: counts } = await readStablePage(deps.db.read, webhookDeliveries, {
    where: fits,
    order: [webhookDeliveries.createdAt, webhookDeliveries.id],
    page,
    added: webhookDeliveries.createdAt,
    now: deps.clock.iso(),
  })
  return { deliveries: rows.map((row) => toDelivery(row, pausedUntil)), count: rows.length, ...counts }
}

/** Deliveries that were given up, those that were given up last first. */
export async function listDeadLetters(
  deps: Deps,
  grant: Grant,
  subscriptionId: string | undefined,
  page: Page,
): Promise<DeadLetter[]> {
  const fits = inTenant(
    webhookDeliveries,
    tenantOf(grant).id,
    eq(webhookDeliveries.status, 'dead_letter'),
    subscriptionId === undefined ? undefined : eq(webhookDeliveries.subscriptionId, subscriptionId),
  )
  const rows = await deps.db.read
    .select()
    .from(webhookDeliveries)
    .where(fits)
    .orderBy(desc(webhookDeliveries.updatedAt), desc(webhookDeliveries.id))
    .limit(page.limit)
    .offset(page.offset)
  return rows.map((row) => {
    const { status: _, nextRetryAt: __, ...rest } = toDelivery(row, null)
    return rest
  })
}

/** @throws SvcError `webhook-disabled` */
async function assertActive(reader: Reader, tenantId: string, id: string): Promise<void> {
  const { active } = await findSubscription(reader, tenantId, id)
  if (!active) throw new SvcError('webhook-disabled', { subscription: id })
}

async function startAgain(tx: Transaction, tenantId: string, ids: readonly string[], at: string): Promise<void> {
  // The schedule starts from its first pause; attempts keep their numbers.
  const set = {
    status: 'pending' as const,
    scheduledFrom: sql`${webhookDeliveries.attemptCount}`,
    dueAt: at,
    claim: null,
    updatedAt: at,
  }
  await tx
    .update(webhookDeliveries)
    .set(set)
    .where(inTenant(webhookDeliveries, tenantId, inArray(webhookDeliveries.id, [...ids])))
}

/** A delivery that waits is the next of its subscription, which does not pause any more; its later attempts stay as they are. */
async function sendFirst(tx: Transaction, { id, tenantId, subscriptionId }: DeliveryRow, now: number): Promise<void> {
  const mine = inTenant(webhookDeliveries, tenantId, eq(webhookDeliveries.subscriptionId, subscriptionId))
  const [first] = await tx
    .select({ at: min(webhookDeliveries.dueAt) })
    .from(webhookDeliveries)
    .where(and(mine, ne(webhookDeliveries.id, id), inArray(webhookDeliveries.status, ['pending', 'retrying'])))
  const before = first?.at == null ? now : Math.min(now, Date.parse(first.at) - 1)
  await tx
    .update(webhookDeliveries)
    .set({ dueAt: isoOf(before), updatedAt: isoOf(now) })
    .where(and(mine, eq(webhookDeliveries.id, id)))
}

/**
 * Sends a delivery now, with the same id: again where it has ended, before others where it waits.
 * @throws SvcError `delivery-not-found`, `delivery-not-replayable`, `webhook-disabled`
 */
export async function redeliver(deps: Deps, grant: Grant, id: string): Promise<DeliveryDetail> {
  const { id: tenantId } = tenantOf(grant)
  const now = deps.clock.now()
  const at = isoOf(now)
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`delivery ${id}`)
    const { subscriptionId } = await findDelivery(tx, tenantId, id)
    await assertActive(tx, tenantId, subscriptionId)
    // First the subscription, then the delivery: attempts are recorded in this order.
    await tx
      .update(webhookSubscriptions)
      .set({ pausedUntil: null })
      .where(inTenant(webhookSubscriptions, tenantId, eq(webhookSubscriptions.id, subscriptionId)))
    const [row] = await tx
      .select()
      .from(webhookDeliveries)
      .where(inTenant(webhookDeliveries, tenantId, eq(webhookDeliveries.id, id)))
      .for('update')
    if (row === undefined) throw new SvcError('delivery-not-found', { delivery: id })
    if (row.status === 'delivering') throw new SvcError('delivery-not-replayable', { delivery: id, state: row.status })
    const isWaiting = row.status === 'pending' || row.status === 'retrying'
    if (!isWaiting) await startAgain(tx, tenantId, [id], at)
    await sendFirst(tx, row, now)
    const detail = { deliveries: 1 }
    const { principal: actor } = grant
    await recordAudit(tx, { tenantId, actor, action: 'webhook.redelivered', targetId: subscriptionId, detail, at })
    tx.afterCommit(() => deps.wakeReaders())
    return detailOf(tx, await findDelivery(tx, tenantId, id))
  })
}

const mostReplayed = 10_000
const idsAtOnce = 500

export interface ReplayRequest {
  readonly subscription_id?: string | null
  readonly since: string
  readonly until?: string | null
  readonly dry_run?: boolean
}

/**
 * Sends dead letters, and what was missed while a subscription was not active, again.
 * @throws SvcError `webhook-not-found`, `webhook-disabled`
 */
export async function replay(
  deps: Deps,
  grant: Grant,
  request: ReplayRequest,
): Promise<{ replayed: number; remaining: number; dry_run: boolean }> {
  const { id: tenantId } = tenantOf(grant)
  const at = deps.clock.iso()
  const only = request.subscription_id ?? null
  const isDry = request.dry_run === true
  return deps.db.inTransaction(async (tx) => {
    if (only !== null) await assertActive(tx, tenantId, only)
    const active = tx
      .select({ id: webhookSubscriptions.id })
      .from(webhookSubscriptions)
      .where(inTenant(webhookSubscriptions, tenantId, eq(webhookSubscriptions.active, true)))
    const fits = inTenant(
      webhookDeliveries,
      tenantId,
      inArray(webhookDeliveries.status, ['dead_letter', 'cancelled']),
      gte(webhookDeliveries.createdAt, instantOf(request.since)),
      lte(webhookDeliveries.createdAt, request.until ? instantOf(request.until) : at),
      only === null ? inArray(webhookDeliveries.subscriptionId, active) : eq(webhookDeliveries.subscriptionId, only),
    )
    const total = await tx.$count(webhookDeliveries, fits)
    const replayed = Math.min(total, mostReplayed)
    if (!isDry && total > 0) {
      const rows = await tx
        .select({ id: webhookDeliveries.id })
        .from(webhookDeliveries)
        .where(fits)
        .orderBy(asc(webhookDeliveries.createdAt), asc(webhookDeliveries.id))
        .limit(mostReplayed)
      for (let n = 0; n < rows.length; n += idsAtOnce)
        await startAgain(
          tx,
          tenantId,
          rows.slice(n, n + idsAtOnce).map(({ id }) => id),
          at,
        )
      const detail = { deliveries: rows.length, since: request.since, until: request.until ?? at }
      const { principal: actor } = grant
      await recordAudit(tx, { tenantId, actor, action: 'webhook.redelivered', targetId: only, detail, at })
      tx.afterCommit(() => deps.wakeReaders())
    }
    return { replayed, remaining: total - replayed, dry_run: isDry }
  })
}

/**
 * Sends a test event to one subscription.
 * @throws SvcError `webhook-not-found`, `webhook-disabled`
 */
export async function sendTest(deps: Deps, grant: Grant, subscriptionId: string): Promise<DeliveryDetail> {
  const { id: tenantId } = tenantOf(grant)
  const at = deps.clock.iso()
  const data = { subscription_id: subscriptionId, message: 'This is a test.' }
  const body: WebhookEventBody = { type: 'webhook.test', timestamp: at, data }
  return deps.db.inTransaction(async (tx) => {
    await assertActive(tx, tenantId, subscriptionId)
    const id = newId()
    await tx.insert(webhookDeliveries).values({
      id,
      tenantId,
      subscriptionId,
      eventId: id,
      eventType: body.type,
      status: 'pending',
      body: JSON.stringify(body),
      attemptCount: 0,
      scheduledFrom: 0,
      dueAt: at,
      claim: null,
      lastError: null,
      createdAt: at,
      updatedAt: at,
    })
    tx.afterCommit(() => deps.wakeReaders())
    return detailOf(tx, await findDelivery(tx, tenantId, id))
  })
}

const dayMs = 24 * 3_600_000
const mostMeasured = 2000

export interface Stats {
  deliveries: Record<DeliveryStatus, number>
  attempts: { total: number; accepted: number; p50_ms: number | null; p95_ms: number | null }
  next_attempt_at: string | null
}

/** @throws SvcError `webhook-not-found` */
export async function statsOf(deps: Deps, grant: Grant, subscriptionId: string): Promise<Stats> {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const { pausedUntil } = await findSubscription(read, tenantId, subscriptionId)
  const mine = inTenant(webhookDeliveries, tenantId, eq(webhookDeliveries.subscriptionId, subscriptionId))
  // One short count for each: an index has what it needs.
  const counts = await Promise.all(
    deliveryStatuses.map(async (status) => {
      const count = await read.$count(webhookDeliveries, and(mine, eq(webhookDeliveries.status, status)))
      return [status, count] as const
    }),
  )
  const newest = read
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(mine)
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(mostMeasured)
    .as('newest')
  const attempts = await read
    .select({ ms: webhookAttempts.durationMs, errorClass: webhookAttempts.errorClass })
    .from(newest)
    .innerJoin(webhookAttempts, eq(webhookAttempts.deliveryId, newest.id))
    .where(inTenant(webhookAttempts, tenantId, gte(webhookAttempts.startedAt, isoOf(deps.clock.now() - dayMs))))
  const times = attempts.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const share = (part: number): number | null => times[Math.ceil(times.length * part) - 1] ?? null
  const [next] = await read
    .select({ at: min(webhookDeliveries.dueAt) })
    .from(webhookDeliveries)
    .where(and(mine, isNotNull(webhookDeliveries.dueAt), inArray(webhookDeliveries.status, ['pending', 'retrying'])))
  return {
    deliveries: Object.fromEntries(counts) as Stats['deliveries'],
    attempts: {
      total: attempts.length,
      accepted: attempts.filter(({ errorClass }) => errorClass === null).length,
      p50_ms: share(0.5),
      p95_ms: share(0.95),
    },
    next_attempt_at: notBefore(next?.at ?? null, pausedUntil),
  }
}
