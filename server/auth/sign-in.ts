import { isoOf } from '../../db/clock.ts'
import { eq } from 'drizzle-orm'
import { passwordChanges, users } from '../../db/tables.gen.ts'
import type { TokenPair } from '../../src/api/auth.ts'
import { SvcError } from '../../src/errors.ts'
import type { Store } from '../deps.ts'
import { findUserByEmail, userOf, userRecord, type UserRow } from '../users/find.ts'
import { recordAudit } from './audit.ts'
import { forgiveAccount, spendAccount, spendAddress } from './budget.ts'
import type { Identity } from './identity.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { endSignInsOf, issueRefreshToken, refreshTokenSeconds, rotateRefreshToken } from './refresh.ts'
import { endSessionsOf } from './session.ts'

/**
 * The person of an e-mail address and password. An unknown address, a wrong password and a disabled account get the
 * same words after the same time.
 * @throws SvcError `credentials-invalid`, `auth-rate-limited`
 */
export async function checkPassword(
  deps: Store,
  given: { readonly email: string; readonly password: string; readonly address: string | null },
): Promise<UserRow> {
  const { db } = deps
  await spendAddress(db, given.address, deps.clock.now())
  await spendAccount(db, given.email, deps.clock.now())
  const user = await findUserByEmail(db.read, given.email)
  const matches = await verifyPassword(given.password, user?.passwordHash ?? null)
  if (user === null || !matches || user.status !== 'active')
    throw new SvcError('credentials-invalid', { reason: 'the e-mail address or the password is wrong' })
  await forgiveAccount(db, given.email)
  return user
}

async function pairOf(deps: Identity, user: UserRow, refreshToken: string): Promise<TokenPair> {
  const { token, expiresIn } = await deps.tokens.issue(user.id)
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: expiresIn,
    refresh_token: refreshToken,
    refresh_expires_in: refreshTokenSeconds,
    user: userRecord(user),
  }
}

/** Begins a sign-in of a program: a new family of refresh tokens. */
export async function beginSignIn(deps: Identity, user: UserRow): Promise<TokenPair> {
  const now = deps.clock.now()
  const refreshToken = await deps.db.inTransaction(async (tx) => {
    const actor = { kind: 'user', userId: user.id, via: 'jwt' } as const
    await recordAudit(tx, { tenantId: null, actor, action: 'user.signed-in', targetId: user.id, at: isoOf(now) })
    return issueRefreshToken(tx, { userId: user.id, familyId: null, now })
  })
  return pairOf(deps, user, refreshToken)
}

/**
 * New tokens for a refresh token. One that is not good counts as an attempt to sign in.
 * @throws SvcError `credentials-invalid`, `auth-rate-limited`
 */
export async function refreshSignIn(deps: Identity, refreshToken: string, address: string | null): Promise<TokenPair> {
  const next = await rotateRefreshToken(deps.db, refreshToken, deps.clock.now()).catch(async (error: unknown) => {
    await spendAddress(deps.db, address, deps.clock.now())
    throw error
  })
  return pairOf(deps, await userOf(deps.db.read, next.userId), next.token)
}

/**
 * Changes a person's password and ends every other session and all tokens.
 * @param given.keepSession the secret of the browser session that asks, which goes on
 * @throws SvcError `credentials-invalid` for a wrong current one, `password-weak`, `auth-rate-limited`
 */
export async function changePassword(
  deps: Store,
  userId: string,
  given: {
    readonly current: string
    readonly next: string
    readonly address: string | null
    readonly keepSession: string | null
  },
): Promise<void> {
  const { email } = await userOf(deps.db.read, userId)
  await checkPassword(deps, { email, password: given.current, address: given.address })
  await setPassword(deps, { userId, email, password: given.next, keepSession: given.keepSession })
}

/** Sets a password and ends every session and all tokens; `byOperator` where it is not the person who does it. */
export async function setPassword(
  deps: Store,
  given: {
    readonly userId: string
    readonly email: string
    readonly password: string
    readonly keepSession: string | null
    readonly byOperator?: boolean
  },
): Promise<void> {
  const { userId } = given
  const passwordHash = await hashPassword(given.password, given.email)
  const now = deps.clock.now()
  await deps.db.inTransaction(async (tx) => {
    await tx
      .update(users)
      .set({ passwordHash, updatedAt: isoOf(now) })
      .where(eq(users.id, userId))
    await tx
      .insert(passwordChanges)
      .values({ userId, changedAt: isoOf(now) })
      .onConflictDoUpdate({ target: passwordChanges.userId, set: { changedAt: isoOf(now) } })
    await endSessionsOf(tx, userId, given.keepSession)
    await endSignInsOf(tx, userId, now)
    const actor = given.byOperator === true ? null : ({ kind: 'user', userId, via: 'session' } as const)
    const action = given.byOperator === true ? 'user.password-reset' : 'user.password-changed'
    await recordAudit(tx, { tenantId: null, actor, action, targetId: userId, at: isoOf(now) })
  })
}
