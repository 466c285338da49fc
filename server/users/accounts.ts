import { isoOf } from '../../db/clock.ts'
import { asc, eq, ne } from 'drizzle-orm'
import { isTenant } from '../../db/conditions.ts'
import { tenants, users } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { endSessionsOf, endSignInsOf, forgiveAccount, recordAudit, unclaimedEmail } from '../auth/door.ts'
import type { Store } from '../kit/door.ts'
import { setPassword } from './set-password.ts'
import { grantInvitations, lockAddress } from './pending.ts'
import { findUsersByEmail, findVerifiedUser, userOf, type UserRow } from './find.ts'

/** An account as the operator sees it. */
export interface ListedUser extends UserRow {
  /** The slug of the organization whose invitation created the account; null for others, and where it was deleted. */
  readonly invitedTo: string | null
}

/** Every account, by address. The placeholder of an unclaimed workspace is no one. */
export async function listUsers(deps: Store): Promise<ListedUser[]> {
  const rows = await deps.db.read
    .select({ user: users, slug: tenants.slug })
    .from(users)
    .leftJoin(tenants, isTenant(users.boundTo))
    .where(ne(users.email, unclaimedEmail))
    .orderBy(asc(users.email), asc(users.createdAt), asc(users.id))
  return rows.map(({ user, slug }) => ({ ...user, invitedTo: slug }))
}

/**
 * The account that an operator names by its address or id.
 * @throws SvcError `user-not-found`, `user-ambiguous` where an address has several accounts
 */
export async function userNamed(deps: Store, named: string): Promise<UserRow> {
  const { read } = deps.db
  const found = named.includes('@')
    ? await findUsersByEmail(read, named)
    : await read.select().from(users).where(eq(users.id, named.toLowerCase()))
  const people = found.filter((it) => it.email !== unclaimedEmail)
  const [user] = people
  if (user === undefined) throw new SvcError('user-not-found', { user: named })
  if (people.length > 1) throw new SvcError('user-ambiguous', { email: named, users: people.map((it) => it.id) })
  return user
}

/**
 * Declares that the address of an account belongs to the user of the account. Open invitations of the address become
 * pending memberships of it, and the issuer leads to it.
 * @throws SvcError `user-not-found`, `user-ambiguous`, `email-verified-elsewhere`
 */
export async function verifyEmail(deps: Store, named: string): Promise<UserRow> {
  const { id } = await userNamed(deps, named)
  return deps.db.inTransaction(async (tx) => {
    const user = await userOf(tx, id)
    await lockAddress(tx, user.email)
    if (user.emailVerifiedAt !== null) return user
    const other = await findVerifiedUser(tx, user.email)
    if (other !== null) throw new SvcError('email-verified-elsewhere', { email: user.email, user: other.id })
    const now = deps.clock.now()
    const verified = { emailVerifiedAt: isoOf(now), updatedAt: isoOf(now) }
    await tx.update(users).set(verified).where(eq(users.id, id))
    await recordAudit(tx, { tenantId: null, actor: null, action: 'user.email-verified', targetId: id, at: isoOf(now) })
    await grantInvitations(tx, user, now)
    return { ...user, ...verified }
  })
}

/**
 * Lets a person in or keeps them out. Kept out, every session and all tokens end at once; keys of their tenants continue.
 * @throws SvcError `user-not-found`, `user-ambiguous`
 */
export async function setUserStatus(deps: Store, named: string, status: UserRow['status']): Promise<UserRow> {
  const user = await userNamed(deps, named)
  const now = deps.clock.now()
  await deps.db.inTransaction(async (tx) => {
    await tx
      .update(users)
      .set({ status, updatedAt: isoOf(now) })
      .where(eq(users.id, user.id))
    if (status === 'disabled') {
      await endSessionsOf(tx, user.id, null)
      await endSignInsOf(tx, user.id, now)
    }
    const action = status === 'disabled' ? 'user.disabled' : 'user.enabled'
    await recordAudit(tx, { tenantId: null, actor: null, action, targetId: user.id, at: isoOf(now) })
  })
  return { ...user, status }
}

/**
 * Gives a person a new password, for those who lost theirs or never had one; ends every session and all tokens.
 * @throws SvcError `user-not-found`, `user-ambiguous`, `password-weak`
 */
export async function resetPassword(deps: Store, named: string, password: string): Promise<UserRow> {
  const user = await userNamed(deps, named)
  await setPassword(deps, { userId: user.id, email: user.email, password, keepSession: null, byOperator: true })
  await deps.db.inTransaction((tx) => forgiveAccount(tx, user.id))
  return user
}
