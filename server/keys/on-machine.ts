/** API keys from the shell of the machine that holds the data, as with user accounts: a server without a browser needs a first one. */
import { desc, eq, or } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { apiKeys, tenants } from '../../db/tables.gen.ts'
import type { ApiKeyRecord } from '../../src/api/application.ts'
import { SvcError } from '../../src/errors.ts'
import { ensureLocalTenant, localTenantSlug, recordAudit } from '../auth/door.ts'
import type { Store } from '../kit/door.ts'
import { insertKey, recordOf, scopesOf } from './service.ts'

async function tenantIdOf({ db, clock }: Store, slug: string): Promise<string> {
  // A database that no server has opened yet has no organization.
  if (slug === localTenantSlug) await ensureLocalTenant(db, clock.now())
  const [tenant] = await db.read.select({ id: tenants.id }).from(tenants).where(eq(tenants.slug, slug))
  if (tenant === undefined) throw new SvcError('tenant-not-found', { tenant: slug })
  return tenant.id
}

/**
 * Creates a key of an organization, whose text is in this answer only. No quota holds for the operator, who sets them.
 * @param given.expiresInDays null where it never expires
 * @throws SvcError `tenant-not-found`, `scopes-invalid`
 */
export async function createKeyOnMachine(
  store: Store,
  tenant: string,
  given: {
    readonly name: string
    readonly description: string
    readonly scopes: readonly string[]
    readonly expiresInDays: number | null
  },
): Promise<ApiKeyRecord> {
  const { db, clock } = store
  const tenantId = await tenantIdOf(store, tenant)
  return db.inTransaction(async (tx) => {
    await tx.lock(`api-keys:${tenantId}`)
    const scopes = scopesOf(given.scopes)
    const facts = { ...given, tenantId, scopes, createdBy: null, replacesId: null, now: clock.now() }
    const made = await insertKey(tx, facts)
    const { name, prefix } = made
    const detail = { name, prefix, scopes }
    const event = {
      tenantId,
      actor: null,
      action: 'api-key.created',
      targetId: made.id,
      detail,
      at: clock.iso(),
    } as const
    await recordAudit(tx, event)
    return made
  })
}

/**
 * The keys of an organization, newest first.
 * @throws SvcError `tenant-not-found`
 */
export async function listKeysOnMachine(store: Store, tenant: string): Promise<ApiKeyRecord[]> {
  const { db, clock } = store
  const tenantId = await tenantIdOf(store, tenant)
  const rows = await db.read
    .select()
    .from(apiKeys)
    .where(inTenant(apiKeys, tenantId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
  return rows.map((row) => recordOf(row, clock.now()))
}

/**
 * Deletes a key at once.
 * @param key its id or its prefix
 * @throws SvcError `tenant-not-found`, `api-key-not-found`
 */
export async function deleteKeyOnMachine(store: Store, tenant: string, key: string): Promise<ApiKeyRecord> {
  const { db, clock } = store
  const tenantId = await tenantIdOf(store, tenant)
  return db.inTransaction(async (tx) => {
    await tx.lock(`api-keys:${tenantId}`)
    const [row] = await tx
      .select()
      .from(apiKeys)
      .where(inTenant(apiKeys, tenantId, or(eq(apiKeys.id, key), eq(apiKeys.prefix, key))))
    if (row === undefined) throw new SvcError('api-key-not-found', { key })
    await tx.delete(apiKeys).where(inTenant(apiKeys, tenantId, eq(apiKeys.id, row.id)))
    const { name, prefix } = row
    const event = {
      tenantId,
      actor: null,
      action: 'api-key.deleted',
      targetId: row.id,
      detail: { name, prefix },
    } as const
    await recordAudit(tx, { ...event, at: clock.iso() })
    return recordOf(row, clock.now())
  })
}
