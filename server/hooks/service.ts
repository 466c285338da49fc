import { randomBytes } from 'node:crypto'
import { and, desc, eq, isNotNull, lt } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Database, Reader, Transaction } from '../../db/database.ts'
import { removeWhere } from '../../db/remove-where.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { hookEvents, repositoryHooks } from '../../db/tables.gen.ts'
import type { HookSubscription } from '../../src/api/repository-hooks.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import type { Credential } from '../hosting/door.ts'
import { credentialOf } from '../linked-accounts/door.ts'
import { findRepository, type RepositoryRow } from '../repositories/door.ts'
import type { HookRow } from './row.ts'

const mostEvents = 50
const defaultGrace = 24 * 3600
const graceBounds = [300, 7 * 24 * 3600] as const
const dayMs = 24 * 3_600_000

const eventsOf = { github: ['push'], gitlab: ['push_events', 'tag_push_events'], bitbucket: ['repo:push'] } as const

const urlOf = (deps: Deps, { provider, token }: Pick<HookRow, 'provider' | 'token'>): string =>
  `${deps.publicUrl()}/v1/hooks/${provider}/${token}`

function toSubscription(deps: Deps, row: HookRow): HookSubscription {
  const isGrace = row.graceUntil !== null && row.graceUntil > deps.clock.iso()
  return {
    id: row.id,
    provider: row.provider,
    url: urlOf(deps, row),
    events: [...eventsOf[row.provider]],
    fingerprint: row.fingerprint,
    previousFingerprint: isGrace ? row.previousFingerprint : null,
    graceUntil: isGrace ? row.graceUntil : null,
    state: row.state,
    providerHookId: row.providerHookId,
    lastDeliveryAt: row.lastDeliveryAt,
  }
}

async function hookOf(reader: Reader, repository: RepositoryRow): Promise<HookRow | null> {
  const own = inTenant(repositoryHooks, repository.tenantId, eq(repositoryHooks.repositoryId, repository.id))
  const [row] = await reader.select().from(repositoryHooks).where(own)
  return row ?? null
}

/** @throws SvcError `repository-not-found`, `hook-not-found` */
async function findHook(reader: Reader, grant: Grant, id: string) {
  const repository = await findRepository(reader, tenantOf(grant).id, id)
  const row = await hookOf(reader, repository)
  if (row === null) throw new SvcError('hook-not-found', { repository: repository.fullName })
  return { repository, row }
}

/** @throws SvcError `repository-not-found` */
export async function hookStatus(deps: Deps, grant: Grant, id: string) {
  const { read } = deps.db
  const repository = await findRepository(read, tenantOf(grant).id, id)
  const row = await hookOf(read, repository)
  if (row === null) return { success: true, subscription: null, events: [] }
  const events = await read
    .select()
    .from(hookEvents)
    .where(inTenant(hookEvents, row.tenantId, eq(hookEvents.hookId, row.id)))
    .orderBy(desc(hookEvents.at), desc(hookEvents.id))
    .limit(mostEvents)
  return {
    success: true,
    subscription: toSubscription(deps, row),
    events: events.map((entry) => ({
      id: entry.id,
      at: entry.at,
      event: entry.event,
      delivery_id: entry.deliveryId,
      outcome: entry.outcome,
      ref: entry.ref,
    })),
  }
}

/** The account that manages hooks at the provider, or why there is none. */
async function managerOf(deps: Deps, { tenantId, linkedAccountId }: RepositoryRow): Promise<Credential | string> {
  if (linkedAccountId === null) return 'the repository has no linked account'
  const credential = await credentialOf(deps, tenantId, linkedAccountId)
  return typeof credential === 'string' ? `its linked account does not serve (${credential})` : credential
}

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

const audit = (
  deps: Deps,
  tx: Transaction,
  { principal: actor }: Grant,
  row: HookRow,
  action: `repository-hook.${'created' | 'secret-rotated' | 'secret-read' | 'deleted'}`,
): Promise<void> => {
  const { tenantId, id: targetId, repositoryId, fingerprint } = row
  const detail = { repository: repositoryId, fingerprint }
  return recordAudit(tx, { tenantId, actor, action, targetId, detail, at: deps.clock.iso() })
}

/** What went wrong at a provider, as the end of a sentence. */
const reasonOf = (error: unknown): string => {
  if (error instanceof SvcError) return error.message
  throw error
}

/**
 * Creates the webhook of a repository, at its provider or for a person who does that.
 * @throws SvcError `repository-not-found`, `hook-exists`, `hook-secret-required`, `hook-provider-failed`, `secret-key-missing`
 */
export async function createHook(
  deps: Deps,
  grant: Grant,
  id: string,
  input: { readonly create: 'provider' | 'manual'; readonly secret?: string | null },
  signal: AbortSignal,
): Promise<HookSubscription> {
  const { read } = deps.db
  const repository = await findRepository(read, tenantOf(grant).id, id)
  const exists = new SvcError('hook-exists', { repository: repository.fullName })
  if ((await hookOf(read, repository)) !== null) throw exists
  const isManual = input.create === 'manual'
  const secret = input.secret ?? (isManual ? null : newSecret())
  if (secret === null) throw new SvcError('hook-secret-required')
  const token = randomBytes(16).toString('base64url')
  const { provider, tenantId, fullName } = repository
  const url = urlOf(deps, { provider, token })
  const failed = (reason: string) => new SvcError('hook-provider-failed', { repository: fullName, reason })
  let providerHookId: string | null = null
  if (!isManual) {
    const manager = await managerOf(deps, repository)
    if (typeof manager === 'string') throw failed(manager)
    const made = deps.hosting.api.createHook(manager, { fullName, url, secret }, signal)
    providerHookId = await made.catch((error: unknown) => {
      throw failed(reasonOf(error))
    })
  }
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const sealed = await deps.vault.seal(tx, { tenantId, purpose: 'repository-hook', secret })
    const row: HookRow = {
      id: newId(),
      tenantId,
      repositoryId: id,
      provider,
      token,
      secretId: sealed.id,
      fingerprint: sealed.fingerprint,
      previousSecretId: null,
      previousFingerprint: null,
      graceUntil: null,
      secretUnread: null,
      state: 'pending',
      providerHookId,
      lastDeliveryAt: null,
      createdBy: actorOf(grant),
      createdAt: at,
      updatedAt: at,
    }
    try {
      await tx.savepoint((inner) => inner.insert(repositoryHooks).values(row))
    } catch (error) {
      if (isUniqueViolation(error)) throw exists
      throw error
    }
    await audit(deps, tx, grant, row, 'repository-hook.created')
    return toSubscription(deps, row)
  })
}

/**
 * Removes the webhook of a repository, and at its provider where it was made by the service.
 * @throws SvcError `repository-not-found`, `hook-not-found`
 */
export async function removeHook(deps: Deps, grant: Grant, id: string, signal: AbortSignal) {
  const { repository, row } = await findHook(deps.db.read, grant, id)
  await deps.db.inTransaction(async (tx) => {
    await tx.delete(repositoryHooks).where(inTenant(repositoryHooks, row.tenantId, eq(repositoryHooks.id, row.id)))
    for (const secret of [row.secretId, row.previousSecretId])
      if (secret !== null) await deps.vault.remove(tx, row.tenantId, secret)
    await audit(deps, tx, grant, row, 'repository-hook.deleted')
  })
  let isGone = false
  if (row.providerHookId !== null) {
    const manager = await managerOf(deps, repository)
    if (typeof manager !== 'string')
      isGone = await deps.hosting.api
        .removeHook(manager, { fullName: repository.fullName, id: row.providerHookId }, signal)
        .then(() => true)
        .catch((error: unknown) => reasonOf(error) === '')
  }
  return { success: true, deleted: true, removedAtProvider: isGone }
}

/**
 * Gives the webhook another secret, one of its own where none is given; the one before verifies until the end of the grace window.
 * @throws SvcError `repository-not-found`, `hook-not-found`, `secret-key-missing`
 */
export async function rotateSecret(
  deps: Deps,
  grant: Grant,
  id: string,
  input: { readonly graceSeconds?: number | null; readonly secret?: string | null },
  signal: AbortSignal,
) {
  const { repository, row: before } = await findHook(deps.db.read, grant, id)
  const [least, most] = graceBounds
  const graceSeconds = Math.min(most, Math.max(least, input.graceSeconds ?? defaultGrace))
  const given = input.secret ?? null
  const secret = given ?? newSecret()
  const { tenantId } = before
  const next = await deps.db.inTransaction(async (tx) => {
    await tx.lock(`repository-hook ${before.id}`)
    const { row } = await findHook(tx, grant, id)
    const sealed = await deps.vault.seal(tx, { tenantId, purpose: 'repository-hook', secret })
    if (row.previousSecretId !== null) await deps.vault.remove(tx, tenantId, row.previousSecretId)
    const set = {
      secretId: sealed.id,
      fingerprint: sealed.fingerprint,
      previousSecretId: row.secretId,
      previousFingerprint: row.fingerprint,
      graceUntil: isoOf(deps.clock.now() + graceSeconds * 1000),
      secretUnread: given === null && row.providerHookId === null,
      updatedAt: deps.clock.iso(),
    }
    await tx
      .update(repositoryHooks)
      .set(set)
      .where(inTenant(repositoryHooks, tenantId, eq(repositoryHooks.id, row.id)))
    const rotated = { ...row, ...set }
    await audit(deps, tx, grant, rotated, 'repository-hook.secret-rotated')
    return rotated
  })
  const providerError = await syncSecret(deps, repository, next, secret, signal)
  // From the end of the grace window on its deliveries would be refused.
  const state = providerError !== null && next.providerHookId !== null ? ('failing' as const) : next.state
  if (state !== next.state)
    await deps.db.inTransaction((tx) =>
      tx
        .update(repositoryHooks)
        .set({ state })
        .where(inTenant(repositoryHooks, next.tenantId, eq(repositoryHooks.id, next.id))),
    )
  return {
    success: true,
    subscription: toSubscription(deps, { ...next, state }),
    graceSeconds,
    providerSecretSynced: providerError === null,
    providerError,
  }
}

/**
 * The secret that a rotation made for a webhook that was made by hand, once.
 * @throws SvcError `repository-not-found`, `hook-not-found`, `hook-secret-unavailable`, `secret-unreadable`
 */
export function readSecret(deps: Deps, grant: Grant, id: string) {
  return deps.db.inTransaction(async (tx) => {
    const { row: before } = await findHook(tx, grant, id)
    await tx.lock(`repository-hook ${before.id}`)
    const { repository, row } = await findHook(tx, grant, id)
    const { tenantId, secretId, fingerprint } = row
    const unavailable = new SvcError('hook-secret-unavailable', { repository: repository.fullName })
    if (row.secretUnread !== true) throw unavailable
    const secret = (await deps.vault.open(tx, tenantId, 'repository-hook', [secretId])).get(secretId)
    if (secret === undefined) throw unavailable
    const set = { secretUnread: null, updatedAt: deps.clock.iso() }
    await tx
      .update(repositoryHooks)
      .set(set)
      .where(inTenant(repositoryHooks, tenantId, eq(repositoryHooks.id, row.id)))
    await audit(deps, tx, grant, { ...row, ...set }, 'repository-hook.secret-read')
    return { success: true, secret, fingerprint }
  })
}

/** Gives the provider the secret; null where it took it. */
async function syncSecret(
  deps: Deps,
  repository: RepositoryRow,
  row: HookRow,
  secret: string,
  signal: AbortSignal,
): Promise<string | null> {
  if (row.providerHookId === null)
    return row.secretUnread === true
      ? 'the webhook was made by hand: read its new secret once (POST …/webhook/secret) and set it at the provider before the grace period ends'
      : 'the webhook was made by hand: set the secret at the provider'
  const manager = await managerOf(deps, repository)
  if (typeof manager === 'string') return manager
  const { fullName } = repository
  const hook = { fullName, id: row.providerHookId, url: urlOf(deps, row), secret }
  return deps.hosting.api.updateHook(manager, hook, signal).then(() => null, reasonOf)
}

/** Lets a delivery be taken again after 72 hours, and removes what is listed after 30 days. */
export async function sweepHooks(db: Database, now: number): Promise<void> {
  const isFree = and(lt(hookEvents.at, isoOf(now - 3 * dayMs)), isNotNull(hookEvents.takenId))
  await db.inTransaction((tx) => tx.update(hookEvents).set({ takenId: null }).where(isFree))
  await removeWhere(db, hookEvents, lt(hookEvents.at, isoOf(now - 30 * dayMs)))
}
