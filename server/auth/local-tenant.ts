import { isoOf } from '../../db/clock.ts'
import { and, asc, eq } from 'drizzle-orm'
import type { Database, Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { licenses, memberships, tenants, users } from '../../db/tables.gen.ts'
import { ofOwners } from '../../db/owners.ts'

export const localTenantSlug = 'local'
/** The plan without any cap, which only the tenant of the local workspace has. */
export const localPlan = 'local'
/** Represents the owner until someone claims the service; it cannot sign in. */
export const unclaimedEmail = 'owner@localhost'

export interface LocalTenant {
  readonly tenantId: string
  readonly slug: typeof localTenantSlug
  /** The earliest active owner, as which the command line acts in this process. */
  readonly ownerId: string
}

async function find(reader: Reader): Promise<LocalTenant | null> {
  const [row] = await reader
    .select({ tenantId: tenants.id, ownerId: memberships.userId })
    .from(tenants)
    .innerJoin(memberships, eq(memberships.tenantId, tenants.id))
    .where(and(eq(tenants.slug, localTenantSlug), ofOwners, eq(memberships.status, 'active')))
    .orderBy(asc(memberships.createdAt), asc(memberships.userId))
    .limit(1)
  return row === undefined ? null : { ...row, slug: localTenantSlug }
}

async function unclaimedOwner(tx: Transaction, at: string): Promise<string> {
  const [existing] = await tx.select({ id: users.id }).from(users).where(eq(users.email, unclaimedEmail))
  if (existing !== undefined) return existing.id
  const id = newId()
  const owner = { id, email: unclaimedEmail, name: 'Owner', status: 'active', createdAt: at, updatedAt: at } as const
  await tx.insert(users).values(owner)
  return id
}

/**
 * The tenant `local` of a workspace and its owner, both made when missing; safe to call from several processes at once.
 * @param now milliseconds since the epoch
 */
export async function ensureLocalTenant(db: Database, now: number): Promise<LocalTenant> {
  const found = await find(db.read)
  if (found !== null) return found
  return db.inTransaction(async (tx) => {
    await tx.lock('tenant:local')
    const existing = await find(tx)
    if (existing !== null) return existing
    const at = isoOf(now)
    const tenantId = newId()
    await tx.insert(tenants).values({
      id: tenantId,
      slug: localTenantSlug,
      name: 'Local workspace',
      settings: {},
      createdAt: at,
      updatedAt: at,
    })
    await tx.insert(licenses).values({ tenantId, plan: localPlan, status: 'active', attachedAt: at })
    const ownerId = await unclaimedOwner(tx, at)
    await tx.insert(memberships).values({ tenantId, userId: ownerId, role: 'owner', status: 'active', createdAt: at })
    return { tenantId, slug: localTenantSlug, ownerId }
  })
}
