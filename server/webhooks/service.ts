import { desc, eq, inArray, or } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { projects, webhookSubscriptions } from '../../db/tables.gen.ts'
import type { MinSeverity } from '../../db/tables/webhooks.ts'
import type { WebhookEventType } from '../../src/api/webhook-events.ts'
import type { Subscription } from '../../src/api/webhooks.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import { putInBin } from '../bin/door.ts'
import { removeFirst, removeInParts } from '../deletion/door.ts'
import type { Deps } from '../kit/door.ts'
import { assertRoom, limitsOf } from '../license/door.ts'
import type { SubscriptionRow } from './claim.ts'
import { cancelWaiting } from './record-attempt.ts'
import { findSubscription, toSubscription } from './record.ts'
import { readSecret } from './secret.ts'
import { urlKeyOf } from './url.ts'

/** How long the secret before a rotation signs too. */
const overlapMs = 24 * 3_600_000

/** All subscriptions, newest first. */
export async function listSubscriptions(deps: Deps, grant: Grant): Promise<Subscription[]> {
  const rows = await deps.db.read
    .select()
    .from(webhookSubscriptions)
    .where(inTenant(webhookSubscriptions, tenantOf(grant).id))
    .orderBy(desc(webhookSubscriptions.createdAt), desc(webhookSubscriptions.id))
  const now = deps.clock.iso()
  // One short read of an index for each: a plan limits how many there are.
  return Promise.all(rows.map((row) => toSubscription(deps.db.read, row, now)))
}

/** @throws SvcError `webhook-not-found` */
export async function getSubscription(deps: Deps, grant: Grant, id: string): Promise<Subscription> {
  const row = await findSubscription(deps.db.read, tenantOf(grant).id, id)
  return toSubscription(deps.db.read, row, deps.clock.iso())
}

/** @throws SvcError `quota-exceeded` */
export async function assertWebhookRoom(deps: Deps, tx: Transaction, tenantId: string): Promise<void> {
  const { quotas } = await limitsOf(tx, deps.plans, tenantId)
  if (quotas.webhooks === null) return
  await tx.lock(`webhooks:${tenantId}`)
  const mine = inTenant(webhookSubscriptions, tenantId)
  const used = await tx.$count(webhookSubscriptions, mine)
  assertRoom('webhooks', used, quotas.webhooks)
}

async function sealSecret(deps: Deps, tx: Transaction, tenantId: string, text: string) {
  const { kind } = readSecret(text)
  const { id, fingerprint } = await deps.vault.seal(tx, { tenantId, purpose: 'webhook-signing', secret: text })
  return { secretId: id, secretRef: `${kind}:${fingerprint}` }
}

async function orTaken<T>(url: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw new SvcError('webhook-url-taken', { url })
    throw error
  }
}

/** What a subscription is called and limited to. */
interface Choices {
  readonly name?: string | null
  readonly eventTypes?: readonly WebhookEventType[] | null
  /** Ids or slugs. */
  readonly projects?: readonly string[] | null
  readonly keepAnswers?: boolean | null
}

/** @throws SvcError `project-not-found` */
async function projectIdsOf(tx: Transaction, tenantId: string, refs: readonly string[]): Promise<string[]> {
  const rows = await tx
    .select({ id: projects.id, slug: projects.slug })
    .from(projects)
    .where(inTenant(projects, tenantId, or(inArray(projects.id, [...refs]), inArray(projects.slug, [...refs]))))
  const ids = refs.map((ref) => {
    const found = rows.find(({ id }) => id === ref) ?? rows.find(({ slug }) => slug === ref)
    if (found === undefined) throw new SvcError('project-not-found', { project: ref })
    return found.id
  })
  return [...new Set(ids)]
}

/** The columns of what was chosen; what is left out is not among them. */
async function chosen(tx: Transaction, tenantId: string, { name, eventTypes, projects: refs, keepAnswers }: Choices) {
  return {
    ...(name === undefined ? {} : { name: name?.trim() || null }),
    ...(eventTypes === undefined ? {} : { eventTypes: eventTypes && [...new Set(eventTypes)] }),
    ...(refs === undefined ? {} : { projectIds: refs && (await projectIdsOf(tx, tenantId, refs)) }),
    ...(keepAnswers === undefined || keepAnswers === null ? {} : { keepsAnswers: keepAnswers }),
  }
}

export interface SubscriptionInput extends Choices {
  readonly url: string
  readonly signingSecret: string
  readonly active?: boolean
  readonly minSeverity?: MinSeverity | null
}

/**
 * Subscribes a URL.
 * @throws SvcError `project-not-found`, `webhook-url-invalid`, `webhook-url-taken`, `webhook-secret-weak`, `quota-exceeded`, `secret-key-missing`
 */
export async function createSubscription(deps: Deps, grant: Grant, input: SubscriptionInput): Promise<Subscription> {
  const { id: tenantId } = tenantOf(grant)
  const urlKey = urlKeyOf(input.url)
  readSecret(input.signingSecret)
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    await assertWebhookRoom(deps, tx, tenantId)
    const values: SubscriptionRow = {
      ...(await sealSecret(deps, tx, tenantId, input.signingSecret)),
      id: newId(),
      tenantId,
      url: input.url,
      urlKey,
      active: input.active ?? true,
      minSeverity: input.minSeverity ?? null,
      name: null,
      eventTypes: null,
      projectIds: null,
      keepsAnswers: false,
      ...(await chosen(tx, tenantId, input)),
      previousSecretId: null,
      previousSecretRef: null,
      previousUntil: null,
      disabledReason: null,
      disabledAt: input.active === false ? at : null,
      failures: 0,
      failingSince: null,
      pausedUntil: null,
      deadLetterAt: null,
      createdBy: actorOf(grant),
      createdAt: at,
      updatedAt: at,
    }
    await orTaken(input.url, () => tx.savepoint((inner) => inner.insert(webhookSubscriptions).values(values)))
    const detail = { url: input.url }
    const { principal: actor } = grant
    await recordAudit(tx, { tenantId, actor, action: 'webhook.created', targetId: values.id, detail, at })
    return toSubscription(tx, values, at)
  })
}

export interface SubscriptionPatch extends Choices {
  readonly url?: string | null
  readonly signingSecret?: string | null
  readonly active?: boolean | null
  readonly minSeverity?: MinSeverity | null
}

/** A new secret; the one before it signs too for a day, and the one before that no more. */
async function rotate(deps: Deps, tx: Transaction, row: SubscriptionRow, text: string) {
  const { tenantId } = row
  const next = await sealSecret(deps, tx, tenantId, text)
  if (row.previousSecretId !== null) await deps.vault.remove(tx, tenantId, row.previousSecretId)
  return {
    ...next,
    previousSecretId: row.secretId,
    previousSecretRef: row.secretRef,
    previousUntil: isoOf(deps.clock.now() + overlapMs),
  }
}

/** Switched on it begins without the failures of before. */
const switched = (row: SubscriptionRow, active: boolean, at: string) => {
  if (active === row.active) return {}
  return active
    ? { active, disabledReason: null, disabledAt: null, failures: 0, failingSince: null, pausedUntil: null }
    : { active, disabledAt: at }
}

/**
 * Changes what is given. Null is like omitted, except where it clears: `minSeverity`, `name`, `eventTypes`, `projects`.
 * @throws SvcError `webhook-not-found`, `project-not-found`, `webhook-url-invalid`, `webhook-url-taken`, `webhook-secret-weak`, `secret-key-missing`
 */
export async function updateSubscription(
  deps: Deps,
  grant: Grant,
  id: string,
  patch: SubscriptionPatch,
): Promise<Subscription> {
  const { id: tenantId } = tenantOf(grant)
  const url = patch.url ?? null
  const secret = patch.signingSecret ?? null
  const active = patch.active ?? null
  const urlKey = url === null ? null : urlKeyOf(url)
  if (secret !== null) readSecret(secret)
  const at = deps.clock.iso()
  const { principal: actor } = grant
  return deps.db.inTransaction(async (tx) => {
    // The lock keeps a second rotation, and an attempt that is recorded, from working with the row of before.
    await tx.lock(`webhook ${id}`)
    const row = await findSubscription(tx, tenantId, id)
    const set = {
      ...(url === null || urlKey === null ? {} : { url, urlKey }),
      ...(secret === null ? {} : await rotate(deps, tx, row, secret)),
      ...(active === null ? {} : switched(row, active, at)),
      ...(patch.minSeverity === undefined ? {} : { minSeverity: patch.minSeverity }),
      ...(await chosen(tx, tenantId, patch)),
      updatedAt: at,
    }
    const own = inTenant(webhookSubscriptions, tenantId, eq(webhookSubscriptions.id, id))
    const [next] = await orTaken(url ?? row.url, () =>
      tx.savepoint((inner) => inner.update(webhookSubscriptions).set(set).where(own).returning()),
    )
    if (!next) throw new SvcError('webhook-not-found', { subscription: id })
    if (row.active && !next.active) await cancelWaiting(tx, next, at)
    const entry = { tenantId, actor, targetId: id, at }
    const { minSeverity } = next
    const detail = { url: next.url, active: next.active, min_severity: minSeverity }
    await recordAudit(tx, { ...entry, action: 'webhook.updated', detail })
    if (secret !== null)
      await recordAudit(tx, { ...entry, action: 'webhook.secret-rotated', detail: { secret_ref: next.secretRef } })
    return toSubscription(tx, next, at)
  })
}

/**
 * Deletes a subscription. It can be restored from the bin: its signing secret stays in the vault until then, its deliveries do not.
 * @throws SvcError `webhook-not-found`
 */
export async function removeSubscription(deps: Deps, grant: Grant, id: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  const { principal: actor } = grant
  await deps.db.inTransaction(async (tx) => {
    const row = await findSubscription(tx, tenantId, id)
    const { url, urlKey, secretId, previousSecretId } = row
    const secretIds = [secretId, ...(previousSecretId === null ? [] : [previousSecretId])]
    await putInBin(deps, grant, tx, { kind: 'webhook', id, name: url, ref: url, detail: { urlKey }, secretIds })
    await removeFirst(deps, tx, { kind: 'webhook', tenantId, id })
    const detail = { url: row.url }
    await recordAudit(tx, { tenantId, actor, action: 'webhook.deleted', targetId: id, detail, at: deps.clock.iso() })
  })
  await removeInParts(deps, id)
}
