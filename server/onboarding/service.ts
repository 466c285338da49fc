import { isoOf } from '../../db/clock.ts'
import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { licenses, memberships, tenants } from '../../db/tables.gen.ts'
import type { FirstTenantResponse } from '../../src/api/onboarding.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, personOf, recordAudit } from '../auth/door.ts'
import type { Identity } from '../sign-in/door.ts'
import { settleInvitation, userOf } from '../users/door.ts'
import { assertRoom, countSeats, limitsOf, ownedPlans } from '../license/door.ts'
import { chooseSlug, normalizeOrganizationName } from '../tenants/door.ts'

/** @throws SvcError `tenant-cap-reached` when a person owns as many tenants as the best plan among them allows */
async function assertTenantCap(tx: Transaction, deps: Identity, userId: string): Promise<void> {
  const owned = await ownedPlans(tx, deps.plans, userId)
  const allowed = [deps.plans.free, ...owned].map((plan) => plan.tenantsPerUser)
  if (allowed.includes(null)) return
  const max = Math.max(...allowed.map((it) => it ?? 0))
  if (owned.length >= max) throw new SvcError('tenant-cap-reached', { used: owned.length, max })
}

/**
 * Creates a tenant with its first Owner and the free plan, in one transaction. The sample project comes afterwards, and
 * that it fails undoes nothing.
 * @throws SvcError `organization-name-invalid`, `tenant-slug-invalid`, `tenant-slug-taken`, `tenant-cap-reached`
 */
export async function provisionTenant(
  deps: Identity,
  grant: Grant,
  given: { readonly name: string; readonly slug: string | null; readonly sample: boolean },
): Promise<FirstTenantResponse> {
  const userId = personOf(grant)
  const name = normalizeOrganizationName(given.name)
  const slug = chooseSlug(given.slug, name)
  const now = deps.clock.now()
  const id = newId()
  await deps.db.inTransaction(async (tx) => {
    await tx.lock(`tenants-of:${userId}`)
    await assertTenantCap(tx, deps, userId)
    try {
      await tx.savepoint((inner) =>
        inner.insert(tenants).values({ id, slug, name, settings: {}, createdAt: isoOf(now), updatedAt: isoOf(now) }),
      )
    } catch (error) {
      if (isUniqueViolation(error)) throw new SvcError('tenant-slug-taken', { slug })
      throw error
    }
    await tx.insert(licenses).values({ tenantId: id, plan: 'free', status: 'active', attachedAt: isoOf(now) })
    await tx
      .insert(memberships)
      .values({ tenantId: id, userId, role: 'owner', status: 'active', createdAt: isoOf(now) })
    await recordAudit(tx, {
      tenantId: id,
      actor: grant.principal,
      action: 'tenant.created',
      targetId: id,
      detail: { slug, name },
      at: isoOf(now),
    })
  })
  const sample = given.sample ? await deps.provisionSample(slug, userId).catch(() => null) : null
  return { tenant: { id, slug, name, plan: 'free', created_at: isoOf(now) }, sample_project_id: sample }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * Turns the pending membership of a person into an active one, for as long as the invitation behind it is open and only
 * where the person has proven to own the invited address.
 * @throws SvcError `tenant-id-invalid`, `membership-not-found`, `membership-suspended`, `email-unverified`,
 *   `quota-exceeded`
 */
export async function activateMembership(
  deps: Identity,
  grant: Grant,
  given: unknown,
): Promise<{ status: 'activated' | 'already-active'; tenant_id: string }> {
  const userId = personOf(grant)
  if (typeof given !== 'string' || !uuid.test(given)) throw new SvcError('tenant-id-invalid')
  const tenantId = given.toLowerCase()
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`members:${tenantId}`)
    const own = and(eq(memberships.tenantId, tenantId), eq(memberships.userId, userId))
    const [row] = await tx.select().from(memberships).where(own)
    if (row === undefined) throw new SvcError('membership-not-found', { tenant: tenantId })
    if (row.status === 'suspended') throw new SvcError('membership-suspended')
    if (row.status === 'active') return { status: 'already-active', tenant_id: tenantId }
    const user = await userOf(tx, userId)
    if (user.emailVerifiedAt === null) throw new SvcError('email-unverified', { email: user.email })
    const now = deps.clock.now()
    const { seats } = await limitsOf(tx, deps.plans, tenantId)
    assertRoom('seats', (await countSeats(tx, tenantId, now)).used, seats)
    // The invitation was withdrawn or has expired; the next sweep removes what it left behind.
    if (!(await settleInvitation(tx, tenantId, user.email, now)))
      throw new SvcError('membership-not-found', { tenant: tenantId })
    await tx.update(memberships).set({ status: 'active' }).where(own)
    const { principal: actor } = grant
    await recordAudit(tx, { tenantId, actor, action: 'member.activated', targetId: userId, at: isoOf(now) })
    return { status: 'activated', tenant_id: tenantId }
  })
}
