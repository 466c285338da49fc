import { isoOf } from '../../db/clock.ts'
import { eq, or } from 'drizzle-orm'
import { contains, inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { apiKeys } from '../../db/tables.gen.ts'
import type { ApiKeyRecord, RotationGrace } from '../../src/api/application.ts'
import { type KeyScope, keyScopes } from '../../src/api/permissions.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, makeKey, personOf, readKey, recordAudit, tenantOf } from '../auth/door.ts'
import type { AuditAction } from '../../src/api/audit-actions.ts'
import { type PageAnswer, type Deps, readStablePage, type StablePage } from '../kit/door.ts'
import { assertRoom, countKeys, limitsOf } from '../license/door.ts'

type KeyRow = typeof apiKeys.$inferSelect

const dayMs = 24 * 3_600_000
const warningMs = 14 * dayMs
const graceMs: Readonly<Record<RotationGrace, number>> = { '0s': 0, '24h': dayMs, '7d': 7 * dayMs }

function statusOf(row: KeyRow, now: number): ApiKeyRecord['status'] {
  if (row.expiresAt !== null && row.expiresAt <= isoOf(now)) return 'expired'
  return row.enabled ? 'active' : 'disabled'
}

/** A key as callers see it: never with its text. */
export function recordOf(row: KeyRow, now: number): ApiKeyRecord {
  const status = statusOf(row, now)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    prefix: row.prefix,
    scopes: [...row.scopes],
    status,
    enabled: row.enabled,
    expires_soon: status !== 'expired' && row.expiresAt !== null && row.expiresAt <= isoOf(now + warningMs),
    replaces_id: row.replacesId,
    created_by: row.createdBy,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    last_used_at: row.lastUsedAt,
  }
}

/**
 * The scopes of a key, each once, in their order.
 * @throws SvcError `scopes-invalid`
 */
export function scopesOf(given: readonly string[]): KeyScope[] {
  const scopes = [...new Set(given)]
  const known = scopes.every((scope): scope is KeyScope => (keyScopes as readonly string[]).includes(scope))
  if (!known || scopes.length === 0 || (scopes.includes('*') && scopes.length > 1))
    throw new SvcError('scopes-invalid', { scopes })
  return scopes.sort()
}

async function findKey(tx: Transaction, tenantId: string, id: string): Promise<KeyRow> {
  const [row] = await tx
    .select()
    .from(apiKeys)
    .where(inTenant(apiKeys, tenantId, eq(apiKeys.id, id)))
  if (row === undefined) throw new SvcError('api-key-not-found', { key: id })
  return row
}

interface NewKey {
  readonly tenantId: string
  readonly name: string
  readonly description: string
  readonly scopes: readonly KeyScope[]
  readonly expiresInDays: number | null
  readonly createdBy: string | null
  readonly replacesId: string | null
  readonly now: number
}

/** Stores a fresh key as prefix and hash, and gives its record with the key itself, for this once. */
export async function insertKey(tx: Transaction, newKey: NewKey): Promise<ApiKeyRecord> {
  const key = makeKey('api')
  const read = readKey(key)
  if (read === null) throw new Error('a key was made that cannot be read')
  const row: KeyRow = {
    id: newId(),
    tenantId: newKey.tenantId,
    name: newKey.name,
    description: newKey.description,
    prefix: read.prefix,
    keyHash: read.hash,
    scopes: newKey.scopes,
    enabled: true,
    createdBy: newKey.createdBy,
    createdAt: isoOf(newKey.now),
    expiresAt: newKey.expiresInDays === null ? null : isoOf(newKey.now + newKey.expiresInDays * dayMs),
    lastUsedAt: null,
    replacesId: newKey.replacesId,
  }
  await tx.insert(apiKeys).values(row)
  return { ...recordOf(row, newKey.now), key }
}

/** A page of the keys of a tenant, newest first. */
export async function listKeys(
  deps: Deps,
  grant: Grant,
  { q, ...page }: StablePage & { readonly q: string | null },
): Promise<PageAnswer & { readonly items: ApiKeyRecord[] }> {
  const matches = q === null ? undefined : or(contains(apiKeys.name, q), contains(apiKeys.prefix, q))
  const where = inTenant(apiKeys, tenantOf(grant).id, matches)
  const { rows, page: counts } = await readStablePage(deps.db.read, apiKeys, {
    where,
    order: [apiKeys.createdAt, apiKeys.id],
    page,
    added: apiKeys.createdAt,
    now: deps.clock.iso(),
  })
  return { items: rows.map((row) => recordOf(row, deps.clock.now())), ...counts }
}

type KeyAction = Extract<AuditAction, `api-key.${string}`>

/** Changes keys in one transaction, in which no one else changes those of the tenant, and notes it in the trail. */
async function changeKeys<T>(
  deps: Deps,
  grant: Grant,
  work: (
    tx: Transaction,
    tenantId: string,
    note: (
      action: KeyAction,
      row: { readonly id: string; readonly name: string; readonly prefix: string },
      more?: object,
    ) => Promise<void>,
  ) => Promise<T>,
): Promise<T> {
  const { id: tenantId } = tenantOf(grant)
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`api-keys:${tenantId}`)
    return work(tx, tenantId, (action, { id, name, prefix }, more = {}) =>
      recordAudit(tx, {
        tenantId,
        actor: grant.principal,
        action,
        targetId: id,
        detail: { name, prefix, ...more },
        at: deps.clock.iso(),
      }),
    )
  })
}

/**
 * Creates a key, whose text is in this answer only.
 * @throws SvcError `scopes-invalid`, `quota-exceeded`
 */
export function createKey(
  deps: Deps,
  grant: Grant,
  given: {
    readonly name: string
    readonly description: string
    readonly scopes: readonly string[]
    readonly expiresInDays: number | null
  },
): Promise<ApiKeyRecord> {
  return changeKeys(deps, grant, async (tx, tenantId, note) => {
    const scopes = scopesOf(given.scopes)
    const { quotas } = await limitsOf(tx, deps.plans, tenantId)
    assertRoom('api_keys', await countKeys(tx, apiKeys, tenantId), quotas.api_keys)
    const made = await insertKey(tx, {
      ...given,
      tenantId,
      scopes,
      createdBy: personOf(grant),
      replacesId: null,
      now: deps.clock.now(),
    })
    await note('api-key.created', made, { scopes })
    return made
  })
}

/**
 * Switches, renames or describes a key.
 * @throws SvcError `api-key-not-found`, `api-key-expired`
 */
export function updateKey(
  deps: Deps,
  grant: Grant,
  id: string,
  change: { readonly name?: string; readonly description?: string; readonly enabled?: boolean },
): Promise<ApiKeyRecord> {
  return changeKeys(deps, grant, async (tx, tenantId, note) => {
    const row = await findKey(tx, tenantId, id)
    // An expired key stays expired: turning it on is refused, whatever the switch was at.
    if (change.enabled === true && statusOf(row, deps.clock.now()) === 'expired')
      throw new SvcError('api-key-expired', { key: row.name })
    const next = { ...row, ...change }
    await tx
      .update(apiKeys)
      .set({ name: next.name, description: next.description, enabled: next.enabled })
      .where(inTenant(apiKeys, tenantId, eq(apiKeys.id, row.id)))
    const switched = next.enabled ? 'api-key.enabled' : 'api-key.disabled'
    await note(next.enabled === row.enabled ? 'api-key.updated' : switched, next)
    return recordOf(next, deps.clock.now())
  })
}

/**
 * Makes a replacement with the same scopes; the old key ends after the grace, or sooner where it would have anyway. The
 * replacement takes the place of a key that is about to go, so it is outside of the quota.
 * @throws SvcError `api-key-not-found`, `api-key-expired`
 */
export function rotateKey(
  deps: Deps,
  grant: Grant,
  id: string,
  given: { readonly grace: RotationGrace; readonly expiresInDays: number | null },
): Promise<ApiKeyRecord> {
  return changeKeys(deps, grant, async (tx, tenantId, note) => {
    const now = deps.clock.now()
    const row = await findKey(tx, tenantId, id)
    if (statusOf(row, now) === 'expired') throw new SvcError('api-key-expired', { key: row.name })
    const { name, description, scopes } = row
    const { expiresInDays } = given
    const createdBy = personOf(grant)
    const facts = { tenantId, name, description, scopes, expiresInDays, createdBy, replacesId: row.id, now }
    const made = await insertKey(tx, facts)
    const end = isoOf(now + graceMs[given.grace])
    const expiresAt = row.expiresAt !== null && row.expiresAt < end ? row.expiresAt : end
    await tx
      .update(apiKeys)
      .set({ expiresAt })
      .where(inTenant(apiKeys, tenantId, eq(apiKeys.id, row.id)))
    await note('api-key.rotated', row, { replacement: made.prefix, grace: given.grace })
    return made
  })
}

/**
 * Deletes a key at once.
 * @throws SvcError `api-key-not-found`
 */
export function deleteKey(deps: Deps, grant: Grant, id: string): Promise<void> {
  return changeKeys(deps, grant, async (tx, tenantId, note) => {
    const row = await findKey(tx, tenantId, id)
    await tx.delete(apiKeys).where(inTenant(apiKeys, tenantId, eq(apiKeys.id, row.id)))
    await note('api-key.deleted', row)
  })
}
