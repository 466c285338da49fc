import { isoOf } from '../../db/clock.ts'
import type { Transaction } from '../../db/database.ts'
import type { TokenPair } from '../../src/api/auth.ts'
import type { Store } from '../deps.ts'
import { passwordBeside, userOf, userRecord, type UserRow } from '../users/find.ts'
import { recordAudit } from './audit.ts'
import { spendAddress } from './budget.ts'
import { personOf } from './caller.ts'
import { confirmPassword } from './check-password.ts'
import type { Grant } from './grant.ts'
import type { Identity } from './identity.ts'
import { hashPassword } from './password.ts'
import { replacePassword } from './end-credentials.ts'
import { issueRefreshToken, refreshTokenSeconds, rotateRefreshToken } from './refresh.ts'
import type { Source } from './source.ts'

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
 * @param given.keepSession the secret of the browser session that asks, which continues
 * @throws SvcError `credentials-invalid` for a wrong current one, `password-weak`, `auth-rate-limited`
 */
export async function changePassword(
  deps: Store,
  grant: Grant,
  given: {
    readonly current: string
    readonly next: string
    readonly source: Source
    readonly keepSession: string | null
  },
): Promise<void> {
  const userId = personOf(grant)
  const user = await userOf(deps.db.read, userId)
  await confirmPassword(deps, user, given.current, given.source)
  await setPassword(deps, { userId, email: user.email, password: given.next, keepSession: given.keepSession })
}

/**
 * Sets a password and ends every session and all tokens; `byOperator` where it is not the person who does it. What `guard` throws
 * undoes everything.
 * @throws SvcError `password-weak`, and what `guard` throws
 */
export async function setPassword(
  deps: Store,
  given: {
    readonly userId: string
    readonly email: string
    readonly password: string
    readonly keepSession: string | null
    readonly byOperator?: boolean
    readonly guard?: (tx: Transaction, now: number) => Promise<void>
  },
): Promise<void> {
  const { userId } = given
  const like = await passwordBeside(deps.db.read, given.email, userId)
  const passwordHash = await hashPassword(given.password, given.email, like)
  const now = deps.clock.now()
  await deps.db.inTransaction(async (tx) => {
    await given.guard?.(tx, now)
    await replacePassword(tx, { userId, passwordHash, keepSession: given.keepSession, now })
    const actor = given.byOperator === true ? null : ({ kind: 'user', userId, via: 'session' } as const)
    const action = given.byOperator === true ? 'user.password-reset' : 'user.password-changed'
    await recordAudit(tx, { tenantId: null, actor, action, targetId: userId, at: isoOf(now) })
  })
}
