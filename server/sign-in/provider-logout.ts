/** Signing out at the identity provider, and by it (OpenID Connect RP-Initiated Logout 1.0, Back-Channel Logout 1.0). */
import { and, eq, inArray } from 'drizzle-orm'
import { errors, jwtVerify, type JWTPayload } from 'jose'
import { isoOf } from '../../db/clock.ts'
import type { Transaction } from '../../db/database.ts'
import { externalIdentities, logoutTokens, providerSessions, sessions } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { isObject } from '../../src/kernel/json.ts'
import { endSignInsOf, hashSecret, recordAudit } from '../auth/door.ts'
import type { Identity } from './identity.ts'
import { signingAlgorithms } from './issuer.ts'
import type { Oidc } from './oidc-settings.ts'

/** The session at the provider that a session here began with. */
export interface ProviderSession {
  readonly issuer: string
  readonly subject: string
  /** Null where the provider names none. */
  readonly sid: string | null
  readonly idToken: string
}

export const signedOutPath = '/_app/oidc/signed-out'
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const maxTokenAgeSeconds = 600
const clockToleranceSeconds = 30

/** Remembers what a session began with. */
export const keepProviderSession = async (tx: Transaction, sessionId: string, of: ProviderSession): Promise<void> =>
  void (await tx.insert(providerSessions).values({ sessionId, ...of }))

/**
 * Where a browser signs out at the provider; null where the operator wants it not, the session did not begin there, or the
 * provider cannot do it.
 * @param token the secret of the session
 */
export async function providerLogout(deps: Identity, token: string): Promise<string | null> {
  const { oidc } = deps
  if (oidc?.settings.signsOutAtProvider !== true) return null
  const [row] = await deps.db.read
    .select({ issuer: providerSessions.issuer, idToken: providerSessions.idToken })
    .from(providerSessions)
    .innerJoin(sessions, eq(sessions.id, providerSessions.sessionId))
    .where(eq(sessions.tokenHash, hashSecret(token)))
  if (row === undefined || row.issuer !== oidc.issuer.name) return null
  // Nobody stays signed in here because the provider cannot be asked.
  const metadata = await oidc.issuer.metadata().catch(() => null)
  const url = URL.parse(metadata?.end_session_endpoint ?? '')
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  const parameters = {
    id_token_hint: row.idToken,
    client_id: oidc.settings.clientId,
    post_logout_redirect_uri: `${deps.publicUrl()}${signedOutPath}`,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

const refuse = (reason: string): SvcError => new SvcError('logout-token-invalid', { reason })

function faultOf({ nonce, events, sub, sid, jti }: JWTPayload): string | null {
  if (nonce !== undefined) return 'it has a nonce, so it is an id_token'
  const event = (events as Readonly<Record<string, unknown>> | undefined)?.[logoutEvent]
  if (!isObject(event)) return 'it has no event of a logout'
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.length <= 255
  if (!isText(jti)) return 'it has no usable jti'
  if (sid === undefined && sub === undefined) return 'it has neither sid nor sub'
  return [sid, sub].every((it) => it === undefined || isText(it)) ? null : 'its sid or sub is not usable'
}

/** The claims of a logout token that holds (Back-Channel Logout 1.0, section 2.6). */
async function verify({ issuer, settings }: Oidc, token: string, now: number): Promise<JWTPayload> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, (header) => issuer.key(header), {
      algorithms: signingAlgorithms,
      issuer: issuer.name,
      audience: settings.clientId,
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
      currentDate: new Date(now),
      clockTolerance: clockToleranceSeconds,
      maxTokenAge: maxTokenAgeSeconds,
    })
    const { typ } = protectedHeader
    if (typ !== undefined && !/^(?:application\/)?(?:logout\+)?jwt$/i.test(typ)) throw refuse('its type is another one')
    const fault = faultOf(payload)
    if (fault !== null) throw refuse(fault)
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw refuse('it has expired or is too old')
    if (error instanceof errors.JWTClaimValidationFailed)
      throw refuse(`its claim "${error.claim}" is missing or invalid`)
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw refuse('it was not signed by a key of the provider')
    throw error
  }
}

/**
 * Ends the browser sessions that began with a session of the provider; without a `sid` all that the subject began there, and then the
 * sign-ins of their programs too.
 */
async function end(tx: Transaction, issuer: string, { sid, sub }: JWTPayload, now: number): Promise<void> {
  const ofIssuer = eq(providerSessions.issuer, issuer)
  const ofSession = typeof sid === 'string' ? eq(providerSessions.sid, sid) : undefined
  const ofSubject = sub === undefined ? undefined : eq(providerSessions.subject, sub)
  const found = await tx
    .select({ id: providerSessions.sessionId, userId: sessions.userId })
    .from(providerSessions)
    .innerJoin(sessions, eq(sessions.id, providerSessions.sessionId))
    .where(and(ofIssuer, ofSession, ofSubject))
  const people = new Set(found.map((it) => it.userId))
  const ids = found.map((it) => it.id)
  for (let from = 0; from < ids.length; from += 200)
    await tx.delete(sessions).where(inArray(sessions.id, ids.slice(from, from + 200)))
  if (sid === undefined && sub !== undefined) {
    const linked = await tx
      .select({ userId: externalIdentities.userId })
      .from(externalIdentities)
      .where(and(eq(externalIdentities.issuer, issuer), eq(externalIdentities.subject, sub)))
    for (const { userId } of linked) {
      people.add(userId)
      await endSignInsOf(tx, userId, now)
    }
  }
  for (const userId of people)
    await recordAudit(tx, {
      tenantId: null,
      actor: null,
      action: 'user.signed-out-by-provider',
      targetId: userId,
      detail: { issuer },
      at: isoOf(now),
    })
}

/**
 * Ends what a provider says has ended. Each token counts once.
 * @throws SvcError `oidc-not-configured`, `logout-token-invalid`, `issuer-unavailable`
 */
export async function endByProvider(deps: Identity, token: string): Promise<void> {
  const { oidc } = deps
  if (oidc === null) throw new SvcError('oidc-not-configured')
  const now = deps.clock.now()
  const claims = await verify(oidc, token, now)
  await deps.db.inTransaction(async (tx) => {
    const fresh = await tx
      .insert(logoutTokens)
      .values({
        jtiHash: hashSecret(`${oidc.issuer.name} ${claims.jti}`),
        expiresAt: isoOf(Math.max((claims.exp ?? 0) * 1000, now) + maxTokenAgeSeconds * 1000),
      })
      .onConflictDoNothing()
      .returning({ jtiHash: logoutTokens.jtiHash })
    if (fresh.length === 0) throw refuse('it was sent before')
    await end(tx, oidc.issuer.name, claims, now)
  })
}
