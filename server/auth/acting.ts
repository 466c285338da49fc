import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { type Clock, isoOf } from '../../db/clock.ts'
import type { Database, Reader } from '../../db/database.ts'
import { apiKeys, trusts, users } from '../../db/tables.gen.ts'
import type { Access } from '../../src/api/endpoint.ts'
import { SvcError } from '../../src/errors.ts'
import { authorize } from './authorize.ts'
import { type Grant, type GrantedTenant, wholeOf } from './grant.ts'
import { personIn } from './people.ts'
import type { Principal } from './principal.ts'
import { refused } from './refresh.ts'

async function principalOf(read: Reader, tenantId: string, actor: string, now: string): Promise<Principal> {
  const userId = personIn(actor)
  if (userId !== null) {
    const [user] = await read.select({ status: users.status }).from(users).where(eq(users.id, userId))
    if (user?.status !== 'active') throw refused('the account of who asked is gone or disabled')
    return { kind: 'user', userId, via: 'jwt' }
  }
  const [kind, keyId = ''] = actor.split(/:(.*)/s)
  if (kind !== 'api-key') throw new SvcError('person-required')
  const [key] = await read
    .select()
    .from(apiKeys)
    .where(inTenant(apiKeys, tenantId, eq(apiKeys.id, keyId)))
  if (key !== undefined) {
    if (!key.enabled || (key.expiresAt !== null && key.expiresAt <= now))
      throw refused(`the key ${key.prefix}… that asked has expired or is disabled`)
    return { kind: 'api-key', keyId, tenantId, scopes: key.scopes }
  }
  // A pipeline acts as its trust.
  const [trust] = await read
    .select({ scopes: trusts.scopes })
    .from(trusts)
    .where(inTenant(trusts, tenantId, eq(trusts.id, keyId)))
  if (trust === undefined) throw refused('the key that asked is gone')
  return { kind: 'api-key', keyId, tenantId, scopes: trust.scopes }
}

/**
 * What someone may do now who asked for something before, as `actorOf` wrote them: what waited is done in their name only if they could
 * still do it themselves.
 * @throws SvcError `credentials-invalid` where the account or key is gone, disabled or expired, and what `authorize` throws
 */
export async function grantOfActor(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  actor: string,
  access: Access,
  tenant: GrantedTenant,
): Promise<Grant> {
  const principal = await principalOf(db.read, tenant.id, actor, isoOf(clock.now()))
  return authorize(db, principal, access, wholeOf(tenant.slug))
}
