/** Links that set a new password once, for people who lost theirs: the service sends no e-mail. */
import { and, eq, gt, ne } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { memberships, passwordResets, users } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { forgiveAccount, hashSecret, randomBase62, recordAudit, spendAddress } from '../auth/door.ts'
import { setPassword } from './set-password.ts'
import type { Store } from '../kit/door.ts'
import { userNamed } from './accounts.ts'
import { userOf, type UserRow } from './find.ts'

/** How long a link of an administrator can be used. */
export const resetHours = 24
/** A link's token, which is shown once, and when it ends. */
export interface ResetLink {
  readonly userId: string
  readonly email: string
  readonly token: string
  readonly expiresAt: string
}

/**
 * Creates the link of an account within a transaction; an earlier link of it ends.
 * @param given.madeIn the id of the organization whose administrator asks; null: the operator
 */
export async function issueReset(
  tx: Transaction,
  user: UserRow,
  given: {
    readonly madeIn: string | null
    readonly createdBy: string | null
    readonly hours: number
    readonly now: number
  },
): Promise<ResetLink> {
  const token = `svw_${randomBase62(43)}`
  const expiresAt = isoOf(given.now + given.hours * 3_600_000)
  const row = {
    tokenHash: hashSecret(token),
    madeIn: given.madeIn,
    createdBy: given.createdBy,
    createdAt: isoOf(given.now),
    expiresAt,
  }
  await tx
    .insert(passwordResets)
    .values({ userId: user.id, ...row })
    .onConflictDoUpdate({ target: passwordResets.userId, set: row })
  return { userId: user.id, email: user.email, token, expiresAt }
}

/**
 * Creates a link from the shell of the machine that holds the data.
 * @param hours how long it can be used, 1 to 168
 * @throws SvcError `user-not-found`, `user-ambiguous`
 */
export async function createReset(deps: Store, named: string, hours: number): Promise<ResetLink> {
  const user = await userNamed(deps, named)
  const now = deps.clock.now()
  return deps.db.inTransaction(async (tx) => {
    const action = 'user.password-reset-created'
    await recordAudit(tx, { tenantId: null, actor: null, action, targetId: user.id, at: isoOf(now) })
    return issueReset(tx, user, { madeIn: null, createdBy: null, hours, now })
  })
}

/** The link with which a person sets a new password. The token is in the fragment, which browsers send to no one. */
export const resetLink = (publicUrl: string, token: string): string => `${publicUrl}/app/reset-password#token=${token}`

/**
 * Whether an account belongs to one organization alone, with a password of its own: its invitation created the account, and
 * the person is in no other. The administrators of others must not be able to sign in as a person who is elsewhere too.
 */
export async function belongsTo(reader: Reader, user: UserRow, tenantId: string): Promise<boolean> {
  if (user.boundTo !== tenantId || user.passwordHash === null) return false
  const elsewhere = await reader
    .select({ id: memberships.tenantId })
    .from(memberships)
    .where(and(eq(memberships.userId, user.id), ne(memberships.tenantId, tenantId)))
    .limit(1)
  return elsewhere.length === 0
}

/** The account that a link is for. A link of an organization ends when its account joins another. */
async function accountOf(reader: Reader, token: string, now: number): Promise<UserRow> {
  const [found] = await reader
    .select({ user: users, madeIn: passwordResets.madeIn })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(and(eq(passwordResets.tokenHash, hashSecret(token)), gt(passwordResets.expiresAt, isoOf(now))))
  if (found === undefined) throw new SvcError('password-reset-invalid')
  if (found.madeIn !== null && !(await belongsTo(reader, found.user, found.madeIn)))
    throw new SvcError('password-reset-invalid')
  return found.user
}

/**
 * Whose password a link sets.
 * @throws SvcError `password-reset-invalid`, `auth-rate-limited`
 */
export async function describeReset(
  deps: Store,
  token: string,
  address: string | null,
): Promise<{ readonly email: string }> {
  const now = deps.clock.now()
  await spendAddress(deps.db, address, now)
  const { email } = await accountOf(deps.db.read, token, now)
  return { email }
}

/**
 * Sets the password of the account of a link, which is used up by that; every session and all tokens of the account end.
 * @throws SvcError `password-reset-invalid`, `password-weak`, `auth-rate-limited`
 */
export async function useReset(
  deps: Store,
  given: { readonly token: string; readonly password: string; readonly address: string | null },
): Promise<UserRow> {
  const { token, password, address } = given
  await spendAddress(deps.db, address, deps.clock.now())
  const { id: userId, email } = await accountOf(deps.db.read, token, deps.clock.now())
  await setPassword(deps, {
    userId,
    email,
    password,
    keepSession: null,
    // Asked again where the password is written: the link may have been used, or the person have joined an organization, meanwhile.
    guard: async (tx, now) => {
      await tx.lock(`password-reset:${userId}`)
      await accountOf(tx, token, now)
    },
  })
  await deps.db.inTransaction((tx) => forgiveAccount(tx, userId))
  return userOf(deps.db.read, userId)
}
