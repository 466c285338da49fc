import { isoOf } from '../../db/clock.ts'
import type { SessionRecord } from '../../src/api/application.ts'
import { userRecord, type UserRow } from '../users/find.ts'
import { recordAudit } from './audit.ts'
import type { Identity } from './identity.ts'
import { type BegunSession, beginSession, endSession, sessionTokenOf } from './session.ts'

/**
 * Begins a browser session and ends the one that the browser still shows.
 * @param via how the person proved who they are, for the audit trail
 */
export async function openSession(
  deps: Identity,
  user: UserRow,
  request: Request,
  via: 'password' | 'issuer' = 'password',
): Promise<BegunSession & { readonly record: SessionRecord }> {
  const begun = await deps.db.inTransaction(async (tx) => {
    const now = deps.clock.now()
    const previous = sessionTokenOf(request)
    if (previous !== null) await endSession(tx, previous)
    const actor = { kind: 'user', userId: user.id, via: 'session' } as const
    const detail = via === 'issuer' ? { via } : {}
    await recordAudit(tx, {
      tenantId: null,
      actor,
      action: 'user.signed-in',
      targetId: user.id,
      detail,
      at: isoOf(now),
    })
    return beginSession(tx, {
      userId: user.id,
      userAgent: request.headers.get('user-agent') ?? '',
      now,
      secure: deps.secureCookies,
    })
  })
  return { ...begun, record: { claimed: true, user: userRecord(user), csrf_token: begun.csrf } }
}
