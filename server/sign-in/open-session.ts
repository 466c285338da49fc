import { isoOf } from '../../db/clock.ts'
import type { SessionRecord } from '../../src/api/application.ts'
import type { FactorMethod } from '../../src/api/second-factors.ts'
import { userRecord, type UserRow } from '../users/door.ts'
import {
  beginSession,
  type BegunSession,
  endSession,
  recordAudit,
  rememberBrowser,
  rememberNetwork,
  sessionTokenOf,
  sourceOf,
} from '../auth/door.ts'
import type { Identity } from './identity.ts'
import { keepProviderSession, type ProviderSession } from './provider-logout.ts'

/** How a person proved who they are, where it was not a password alone. */
export type SignInProof = {
  readonly via?: 'issuer' | 'passkey'
  readonly second_factor?: FactorMethod
}

/**
 * Begins a browser session and ends the one that the browser still shows. The browser and its network are known from
 * then on: failures of others do not slow the person down there.
 * @param detail for the audit trail
 * @param provider the session at the identity provider that it ends with
 * @returns the session, with the cookies to set
 */
export async function openSession(
  deps: Identity,
  user: UserRow,
  request: Request,
  detail: SignInProof = {},
  provider: ProviderSession | null = null,
): Promise<BegunSession & { readonly record: SessionRecord; readonly cookies: readonly string[] }> {
  const secure = deps.secureCookies
  const { begun, browser } = await deps.db.inTransaction(async (tx) => {
    const now = deps.clock.now()
    const previous = sessionTokenOf(request)
    if (previous !== null) await endSession(tx, previous)
    const actor = { kind: 'user', userId: user.id, via: 'session' } as const
    await recordAudit(tx, {
      tenantId: null,
      actor,
      action: 'user.signed-in',
      targetId: user.id,
      detail,
      at: isoOf(now),
    })
    const source = sourceOf(request)
    await rememberNetwork(tx, user.id, source, now)
    const userAgent = request.headers.get('user-agent') ?? ''
    const session = await beginSession(tx, { userId: user.id, userAgent, now, secure })
    if (provider !== null) await keepProviderSession(tx, session.id, provider)
    return { browser: await rememberBrowser(tx, user.id, source, { now, secure }), begun: session }
  })
  return {
    ...begun,
    cookies: [begun.cookie, browser],
    record: { claimed: true, user: userRecord(user), csrf_token: begun.csrf },
  }
}
