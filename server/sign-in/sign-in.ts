import { isoOf } from '../../db/clock.ts'
import type { TokenPair } from '../../src/api/auth.ts'
import type { Store } from '../kit/door.ts'
import { confirmPassword, setPassword, userOf, userRecord, type UserRow } from '../users/door.ts'
import {
  type Grant,
  type IssuedRefresh,
  issueRefreshToken,
  personOf,
  recordAudit,
  refreshTokenSeconds,
  rememberNetwork,
  rotateRefreshToken,
  type Source,
  spendAddress,
} from '../auth/door.ts'
import type { Identity } from './identity.ts'
import type { SignInProof } from './open-session.ts'

async function pairOf(deps: Identity, user: UserRow, refresh: IssuedRefresh): Promise<TokenPair> {
  const { token, expiresIn } = await deps.tokens.issue(user.id, refresh.familyId)
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: expiresIn,
    refresh_token: refresh.token,
    refresh_expires_in: refreshTokenSeconds,
    user: userRecord(user),
  }
}

/**
 * Begins a sign-in of a program: a new family of refresh tokens.
 * @param facts.source where the person showed their password from, which is known from then on; null: elsewhere
 * @param facts.detail how they proved who they are besides, for the audit trail
 */
export async function beginSignIn(
  deps: Identity,
  user: UserRow,
  facts: { readonly source: Source | null; readonly detail?: SignInProof } = { source: null },
): Promise<TokenPair> {
  const now = deps.clock.now()
  const { source, detail = {} } = facts
  const refresh = await deps.db.inTransaction(async (tx) => {
    const actor = { kind: 'user', userId: user.id, via: 'jwt' } as const
    const entry = { tenantId: null, actor, action: 'user.signed-in', targetId: user.id, detail } as const
    await recordAudit(tx, { ...entry, at: isoOf(now) })
    if (source !== null) await rememberNetwork(tx, user.id, source, now)
    return issueRefreshToken(tx, { userId: user.id, familyId: null, now })
  })
  return pairOf(deps, user, refresh)
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
  return pairOf(deps, await userOf(deps.db.read, next.userId), next)
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
