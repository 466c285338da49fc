import { isoOf } from '../../db/clock.ts'
import { and, eq, isNotNull, isNull, or } from 'drizzle-orm'
import type { Reader, Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { memberships, tenants, users } from '../../db/tables.gen.ts'
import type { Role } from '../../src/api/permissions.ts'
import { SvcError } from '../../src/errors.ts'
import { ensureLocalTenant, hashPassword, type Principal, recordAudit, unclaimedEmail } from '../auth/door.ts'
import type { Store } from '../kit/door.ts'
import { normalizeEmail, normalizeName } from './email.ts'
import { ofAddress, passwordBeside, type UserRow } from './find.ts'

export interface NewUser {
  readonly email: string
  readonly name: string
  readonly password: string
}

/** Whether someone can sign in: the service has its first user. */
export async function isClaimed(reader: Reader): Promise<boolean> {
  const rows = await reader.select({ id: users.id }).from(users).where(isNotNull(users.passwordHash)).limit(1)
  return rows.length > 0
}

/**
 * Adds a person within a transaction.
 * @param facts.boundTo the tenant whose invitation creates the account; null where the operator or an issuer does
 * @param facts.verified whether an issuer or the operator confirms the address
 * @throws SvcError `email-taken`: one verified account for each address, one of the operator, and one for each tenant
 */
export async function insertUser(
  tx: Transaction,
  facts: {
    readonly email: string
    readonly name: string
    readonly passwordHash: string | null
    readonly boundTo: string | null
    readonly verified: boolean
    readonly now: number
  },
): Promise<UserRow> {
  const at = isoOf(facts.now)
  const row = {
    id: newId(),
    email: facts.email,
    name: facts.name,
    passwordHash: facts.passwordHash,
    status: 'active' as const,
    emailVerifiedAt: facts.verified ? at : null,
    boundTo: facts.boundTo,
    createdAt: at,
    updatedAt: at,
  }
  try {
    await tx.savepoint((inner) => inner.insert(users).values(row))
  } catch (error) {
    if (isUniqueViolation(error)) throw new SvcError('email-taken', { email: facts.email })
    throw error
  }
  return row
}

/** Accounts that invitations made do not count, so that no inviter keeps the operator from making one. */
async function assertFree(tx: Transaction, email: string): Promise<void> {
  const counts = or(isNotNull(users.emailVerifiedAt), isNull(users.boundTo))
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(ofAddress(email), counts))
  if (rows.length > 0) throw new SvcError('email-taken', { email })
}

/**
 * Makes the first user: the placeholder owner of the tenant `local` becomes that person, with all that is in it. What
 * `guard` throws undoes everything; it runs under the lock that lets only one claim through.
 * @throws SvcError `setup-done`, `email-invalid`, `email-taken`, `password-weak`
 */
export async function claimService(
  deps: Store,
  given: NewUser,
  guard: (tx: Transaction, now: number) => Promise<void>,
): Promise<UserRow> {
  const email = normalizeEmail(given.email)
  const passwordHash = await hashPassword(given.password, email, await passwordBeside(deps.db.read, email, null))
  await ensureLocalTenant(deps.db, deps.clock.now())
  return deps.db.inTransaction(async (tx) => {
    const now = deps.clock.now()
    await tx.lock('service:claim')
    if (await isClaimed(tx)) throw new SvcError('setup-done')
    await guard(tx, now)
    const [owner] = await tx.select().from(users).where(eq(users.email, unclaimedEmail))
    if (owner === undefined) throw new Error('an unclaimed service without its placeholder owner')
    const changed = { email, name: normalizeName(given.name, email), passwordHash, updatedAt: isoOf(now) }
    await assertFree(tx, email)
    await tx.update(users).set(changed).where(eq(users.id, owner.id))
    const actor: Principal = { kind: 'user', userId: owner.id, via: 'session' }
    await recordAudit(tx, { tenantId: null, actor, action: 'service.claimed', targetId: owner.id, at: isoOf(now) })
    return { ...owner, ...changed }
  })
}

/**
 * Creates a person from the shell of the machine that holds the data; the first one claims the service. Later ones may
 * be put into a tenant at once.
 * @throws SvcError `email-invalid`, `email-taken`, `password-weak`, `tenant-not-found`
 */
export async function createUser(
  deps: Store,
  given: NewUser & { readonly membership: { readonly tenant: string; readonly role: Role } | null },
): Promise<{ readonly user: UserRow; readonly claimed: boolean }> {
  if (!(await isClaimed(deps.db.read)))
    return { user: await claimService(deps, given, () => Promise.resolve()), claimed: true }
  const email = normalizeEmail(given.email)
  const passwordHash = await hashPassword(given.password, email, await passwordBeside(deps.db.read, email, null))
  const user = await deps.db.inTransaction(async (tx) => {
    const now = deps.clock.now()
    await assertFree(tx, email)
    const name = normalizeName(given.name, email)
    const row = await insertUser(tx, { email, name, passwordHash, boundTo: null, verified: false, now })
    await recordAudit(tx, { tenantId: null, actor: null, action: 'user.created', targetId: row.id, at: isoOf(now) })
    if (given.membership !== null) {
      const { tenant: slug, role } = given.membership
      const [tenant] = await tx.select({ id: tenants.id }).from(tenants).where(eq(tenants.slug, slug))
      if (tenant === undefined) throw new SvcError('tenant-not-found', { tenant: slug })
      await tx
        .insert(memberships)
        .values({ tenantId: tenant.id, userId: row.id, role, status: 'active', createdAt: isoOf(now) })
    }
    return row
  })
  return { user, claimed: false }
}
