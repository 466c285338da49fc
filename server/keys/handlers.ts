import { and, count, desc, eq, or } from 'drizzle-orm'
import { contains, inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { apiKeys } from '../../db/tables.gen.ts'
import type { ApiKeyRecord, applicationApi, RotationGrace } from '../../src/api/application.ts'
import { type KeyScope, keyScopes } from '../../src/api/permissions.ts'
import { SvcError } from '../../src/errors.ts'
import { recordAudit } from '../auth/audit.ts'
import type { Grant } from '../auth/grant.ts'
import type { Identity } from '../auth/identity.ts'
import { makeKey, readKey } from '../auth/key-format.ts'
import { grantedTenant } from '../auth/person.ts'
import { assertRoom, countKeys, limitsOf } from '../license/quota.ts'
import type { Handlers } from '../mount.ts'

type KeyRow = typeof apiKeys.$inferSelect

const dayMs = 24 * 3_600_000
const warningMs = 14 * dayMs
const graceMs: Readonly<Record<RotationGrace, number>> = { '0s': 0, '24h': dayMs, '7d': 7 * dayMs }

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

function statusOf(row: KeyRow, now: number): ApiKeyRecord['status'] {
  if (row.expiresAt !== null && row.expiresAt <= iso(now)) return 'expired'
  return row.enabled ? 'active' : 'disabled'
}

function recordOf(row: KeyRow, now: number): ApiKeyRecord {
  const status = statusOf(row, now)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    prefix: row.prefix,
    scopes: [...row.scopes],
    status,
    enabled: row.enabled,
    expires_soon: status !== 'expired' && row.expiresAt !== null && row.expiresAt <= iso(now + warningMs),
    replaces_id: row.replacesId,
    created_by: row.createdBy,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    last_used_at: row.lastUsedAt,
  }
}

/**
 * Keys are managed by a person in a browser, nowhere else: not by a token, not by the command line.
 * @throws SvcError `browser-session-required`
 */
function assertBrowser(grant: Grant): void {
  if (grant.principal?.kind !== 'user' || grant.principal.via !== 'session')
    throw new SvcError('browser-session-required')
}

function scopesOf(given: readonly string[]): KeyScope[] {
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
async function insertKey(tx: Transaction, it: NewKey): Promise<ApiKeyRecord> {
  const key = makeKey('api')
  const read = readKey(key)
  if (read === null) throw new Error('a key was made that cannot be read')
  const row: KeyRow = {
    id: newId(),
    tenantId: it.tenantId,
    name: it.name,
    description: it.description,
    prefix: read.prefix,
    keyHash: read.hash,
    scopes: it.scopes,
    enabled: true,
    createdBy: it.createdBy,
    createdAt: iso(it.now),
    expiresAt: it.expiresInDays === null ? null : iso(it.now + it.expiresInDays * dayMs),
    lastUsedAt: null,
    replacesId: it.replacesId,
  }
  await tx.insert(apiKeys).values(row)
  return { ...recordOf(row, it.now), key }
}

type KeyHandlers = Pick<Handlers<typeof applicationApi>, 'keys' | 'createKey' | 'updateKey' | 'rotateKey' | 'deleteKey'>

/** What the application does with the API keys of a tenant (spec.md 2.16, 3.1, 5). */
export function apiKeyHandlers(identity: Identity): KeyHandlers {
  const { db, now } = identity
  const actorId = (grant: Grant): string | null => (grant.principal?.kind === 'user' ? grant.principal.userId : null)

  return {
    keys: async ({ query }, { grant }) => {
      assertBrowser(grant)
      const { id: tenantId } = grantedTenant(grant)
      const { limit = 50, offset = 0, q } = query ?? {}
      const matches = q === undefined ? undefined : or(contains(apiKeys.name, q), contains(apiKeys.prefix, q))
      const where = inTenant(apiKeys, tenantId, matches)
      const rows = await db.read
        .select()
        .from(apiKeys)
        .where(where)
        .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
        .limit(limit)
        .offset(offset)
      const [total] = await db.read.select({ n: count() }).from(apiKeys).where(where)
      return { items: rows.map((row) => recordOf(row, now())), total: total?.n ?? 0, limit, offset }
    },

    createKey: ({ body }, { grant }) => {
      assertBrowser(grant)
      const { id: tenantId } = grantedTenant(grant)
      const scopes = scopesOf(body.scopes ?? ['*'])
      return db.inTransaction(async (tx) => {
        await tx.lock(`api-keys:${tenantId}`)
        const { quotas } = await limitsOf(tx, identity.plans, tenantId)
        assertRoom('api_keys', await countKeys(tx, apiKeys, tenantId), quotas.api_keys)
        const made = await insertKey(tx, {
          tenantId,
          name: body.name,
          description: body.description ?? '',
          scopes,
          expiresInDays: body.expires_in_days ?? null,
          createdBy: actorId(grant),
          replacesId: null,
          now: now(),
        })
        const detail = { name: made.name, prefix: made.prefix, scopes }
        const { principal: actor } = grant
        await recordAudit(tx, { tenantId, actor, action: 'api-key.created', targetId: made.id, detail, now: now() })
        return made
      })
    },

    updateKey: ({ params, body }, { grant }) => {
      assertBrowser(grant)
      const { id: tenantId } = grantedTenant(grant)
      return db.inTransaction(async (tx) => {
        const row = await findKey(tx, tenantId, params.key_id)
        // An expired key stays expired: turning it on is refused, whatever the switch stood at.
        if (body.enabled === true && statusOf(row, now()) === 'expired')
          throw new SvcError('api-key-expired', { key: row.name })
        const next = { ...row, ...body }
        await tx
          .update(apiKeys)
          .set({ name: next.name, description: next.description, enabled: next.enabled })
          .where(and(eq(apiKeys.id, row.id), eq(apiKeys.tenantId, tenantId)))
        const switched = next.enabled === row.enabled ? 'updated' : next.enabled ? 'enabled' : 'disabled'
        const detail = { name: next.name, prefix: row.prefix }
        const action = `api-key.${switched}` as const
        await recordAudit(tx, { tenantId, actor: grant.principal, action, targetId: row.id, detail, now: now() })
        return recordOf(next, now())
      })
    },

    rotateKey: ({ params, body }, { grant }) => {
      assertBrowser(grant)
      const { id: tenantId } = grantedTenant(grant)
      return db.inTransaction(async (tx) => {
        await tx.lock(`api-keys:${tenantId}`)
        const row = await findKey(tx, tenantId, params.key_id)
        if (statusOf(row, now()) === 'expired') throw new SvcError('api-key-expired', { key: row.name })
        // A replacement stands in for a key that is about to go, so it is outside of the quota.
        const made = await insertKey(tx, {
          tenantId,
          name: row.name,
          description: row.description,
          scopes: row.scopes,
          expiresInDays: body.expires_in_days ?? null,
          createdBy: actorId(grant),
          replacesId: row.id,
          now: now(),
        })
        const end = iso(now() + graceMs[body.grace])
        const expiresAt = row.expiresAt !== null && row.expiresAt < end ? row.expiresAt : end
        await tx
          .update(apiKeys)
          .set({ expiresAt })
          .where(inTenant(apiKeys, tenantId, eq(apiKeys.id, row.id)))
        const detail = { name: row.name, prefix: row.prefix, replacement: made.prefix, grace: body.grace }
        const { principal: actor } = grant
        await recordAudit(tx, { tenantId, actor, action: 'api-key.rotated', targetId: row.id, detail, now: now() })
        return made
      })
    },

    deleteKey: async ({ params }, { grant }) => {
      assertBrowser(grant)
      const { id: tenantId } = grantedTenant(grant)
      await db.inTransaction(async (tx) => {
        const row = await findKey(tx, tenantId, params.key_id)
        await tx.delete(apiKeys).where(inTenant(apiKeys, tenantId, eq(apiKeys.id, row.id)))
        const detail = { name: row.name, prefix: row.prefix }
        const { principal: actor } = grant
        await recordAudit(tx, { tenantId, actor, action: 'api-key.deleted', targetId: row.id, detail, now: now() })
      })
      return null
    },
  }
}
