import { isoOf } from '../../db/clock.ts'
import { createHash } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import { oidcAttempts } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { spendAddress } from './budget.ts'
import { claimsOf, type ExternalPerson } from './external-identity.ts'
import type { Identity } from './identity.ts'
import { fetchJson, type IssuerMetadata, signingAlgorithms } from './issuer.ts'
import { hashSecret, randomBase62 } from './key-format.ts'
import type { Oidc } from './oidc-settings.ts'

const attemptMs = 10 * 60_000
export const callbackPath = '/_app/oidc/callback'
const statePattern = /^[0-9A-Za-z]{43}$/

const refused = (reason: string): SvcError => new SvcError('oidc-refused', { reason })
const base64url = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** The configured issuer. Raises `oidc-not-configured`. */
export function oidcOf(deps: Identity): Oidc {
  if (deps.oidc === null) throw new SvcError('oidc-not-configured')
  return deps.oidc
}

/**
 * A path of the application to come back to; "/app/" for anything that could lead elsewhere: another origin, another
 * scheme, a path that a browser would read as an address.
 */
export function safeReturn(text: string | undefined): string {
  const base = 'http://application.invalid'
  const url = text === undefined || !text.startsWith('/app/') || /[\\\s]/.test(text) ? null : URL.parse(text, base)
  if (url === null || url.origin !== base || !url.pathname.startsWith('/app/')) return '/app/'
  return url.pathname + url.search + url.hash
}

const cookieName = (state: string): string => `svc_oidc_${state.slice(0, 12)}`
const cookieOf = (deps: Identity, state: string, value: string, seconds: number): string =>
  `${cookieName(state)}=${value}; Path=/_app/oidc; HttpOnly; SameSite=Lax; Max-Age=${seconds}${deps.secureCookies ? '; Secure' : ''}`

/** Code verifier (RFC 7636) and nonce: made of what only this browser holds, so that neither is stored anywhere. */
const verifierOf = (secret: string): string => hashSecret(`verifier:${secret}`)
const nonceOf = (secret: string): string => hashSecret(`nonce:${secret}`)

const redirectUri = (deps: Identity): string => `${deps.publicUrl()}${callbackPath}`

function endpointOf(text: string | null, what: string): URL {
  const url = URL.parse(text ?? '')
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new SvcError('oidc-unavailable', { reason: `it names no ${what}` })
  return url
}

/**
 * Begins a sign-in: where to send the browser, and the cookie that ties the answer to it.
 * @throws SvcError `oidc-not-configured`, `oidc-unavailable`, `issuer-unavailable`, `auth-rate-limited`
 */
export async function beginOidc(
  deps: Identity,
  given: { readonly returnTo: string | undefined; readonly address: string | null },
): Promise<{ readonly location: string; readonly cookie: string }> {
  const { settings, issuer } = oidcOf(deps)
  await spendAddress(deps.db, given.address, deps.clock.now())
  const metadata = await issuer.metadata()
  const location = endpointOf(metadata.authorizationEndpoint, 'authorization_endpoint')
  const state = randomBase62(43)
  const secret = randomBase62(43)
  const now = deps.clock.now()
  await deps.db.inTransaction((tx) =>
    tx.insert(oidcAttempts).values({
      stateHash: hashSecret(state),
      browserHash: hashSecret(secret),
      returnTo: safeReturn(given.returnTo),
      expiresAt: isoOf(now + attemptMs),
    }),
  )
  const wanted = {
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: redirectUri(deps),
    scope: settings.scopes,
    state,
    nonce: nonceOf(secret),
    code_challenge: base64url(verifierOf(secret)),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(wanted)) location.searchParams.set(name, value)
  return { location: location.href, cookie: cookieOf(deps, state, secret, attemptMs / 1000) }
}

/** What the browser brings back. */
export interface OidcAnswer {
  readonly code?: string
  readonly state?: string
  readonly iss?: string
  readonly error?: string
}

/** Uses the attempt up that the state and this browser's cookie belong to. Raises `oidc-refused`. */
async function takeAttempt(deps: Identity, state: string | undefined, cookies: string | null) {
  if (state === undefined || !statePattern.test(state)) throw refused('the answer belongs to no sign-in')
  const secret = new Bun.CookieMap(cookies ?? '').get(cookieName(state)) ?? ''
  const [row] = await deps.db.inTransaction((tx) =>
    tx
      .delete(oidcAttempts)
      .where(
        and(
          eq(oidcAttempts.stateHash, hashSecret(state)),
          // The answer to a sign-in that another browser began would sign this one in as somebody else.
          eq(oidcAttempts.browserHash, hashSecret(secret)),
          gt(oidcAttempts.expiresAt, deps.clock.iso()),
        ),
      )
      .returning({ returnTo: oidcAttempts.returnTo }),
  )
  if (row === undefined) throw refused('it was not begun in this browser, is too old, or was answered already')
  return { secret, returnTo: row.returnTo }
}

/** RFC 9207: an answer of another issuer than the one that was asked is not looked at any further. */
function assertOrigin(answer: OidcAnswer, metadata: IssuerMetadata): void {
  if (answer.iss === undefined ? metadata.namesItself : answer.iss !== metadata.issuer)
    throw refused('the answer does not come from the issuer that was asked')
}

async function askTokens(
  deps: Identity,
  { settings, egressAllow }: Oidc,
  metadata: IssuerMetadata,
  given: { readonly code: string; readonly verifier: string },
): Promise<{ readonly idToken: string; readonly accessToken: string | null }> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: given.code,
    redirect_uri: redirectUri(deps),
    code_verifier: given.verifier,
  })
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  const { clientId, clientSecret } = settings
  if (clientSecret !== null && metadata.tokenAuthMethods.includes('client_secret_basic')) {
    // Both halves are form-encoded first (RFC 6749, 2.3.1).
    const encode = (text: string): string => new URLSearchParams({ x: text }).toString().slice(2)
    headers.authorization = `Basic ${btoa(`${encode(clientId)}:${encode(clientSecret)}`)}`
  } else {
    form.set('client_id', clientId)
    if (clientSecret !== null) form.set('client_secret', clientSecret)
  }
  const url = endpointOf(metadata.tokenEndpoint, 'token_endpoint').href
  const body = new TextEncoder().encode(form.toString())
  const { status, json } = await fetchJson(url, egressAllow, { method: 'POST', headers, body })
  if (status !== 200 || typeof json.id_token !== 'string')
    throw refused(`the issuer gave no tokens (${status} ${String(json.error ?? '').slice(0, 60)})`)
  return { idToken: json.id_token, accessToken: typeof json.access_token === 'string' ? json.access_token : null }
}

/** OpenID Connect Core 1.0, 3.1.3.7. */
async function verifyIdToken(deps: Identity, oidc: Oidc, idToken: string, nonce: string): Promise<JWTPayload> {
  const { settings, issuer } = oidc
  try {
    const { payload } = await jwtVerify(idToken, (header) => issuer.key(header), {
      algorithms: signingAlgorithms,
      issuer: issuer.name,
      audience: settings.clientId,
      requiredClaims: ['sub', 'iat', 'exp', 'nonce'],
      currentDate: new Date(deps.clock.now()),
      clockTolerance: 30,
      maxTokenAge: attemptMs / 1000,
    })
    if (payload.nonce !== nonce) throw refused('its nonce is not the one of this sign-in')
    const severalAudiences = Array.isArray(payload.aud) && payload.aud.length > 1
    if ((severalAudiences || payload.azp !== undefined) && payload.azp !== settings.clientId)
      throw refused('it was issued to another client')
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw refused(`its token is not good (${error.message})`)
    throw error
  }
}

/** The claims about the person: those of the token, and where it names no address those of the userinfo endpoint. */
async function describePerson(
  oidc: Oidc,
  metadata: IssuerMetadata,
  payload: JWTPayload,
  accessToken: string | null,
): Promise<ExternalPerson> {
  const subject = payload.sub ?? ''
  if (subject === '' || subject.length > 255) throw refused('it names nobody')
  const { name } = oidc.issuer
  if (payload.email !== undefined || metadata.userinfoEndpoint === null || accessToken === null)
    return claimsOf(name, subject, payload)
  const url = endpointOf(metadata.userinfoEndpoint, 'userinfo_endpoint').href
  const { status, json } = await fetchJson(url, oidc.egressAllow, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  if (status !== 200 || json.sub !== subject) throw refused('the issuer does not say who it is')
  return claimsOf(name, subject, json)
}

/**
 * Who came back from the issuer, and where they wanted to go.
 * @throws SvcError `oidc-not-configured`, `oidc-refused`, `oidc-unavailable`, `issuer-unavailable`
 */
export async function finishOidc(
  deps: Identity,
  answer: OidcAnswer,
  request: Request,
): Promise<{ readonly person: ExternalPerson; readonly returnTo: string; readonly endedCookie: string }> {
  const oidc = oidcOf(deps)
  const { secret, returnTo } = await takeAttempt(deps, answer.state, request.headers.get('cookie'))
  const metadata = await oidc.issuer.metadata()
  assertOrigin(answer, metadata)
  if (answer.error !== undefined || answer.code === undefined)
    throw refused(`the issuer answered ${(answer.error ?? 'without a code').replaceAll(/[^\w.-]/g, ' ').slice(0, 60)}`)
  try {
    const given = { code: answer.code, verifier: verifierOf(secret) }
    const tokens = await askTokens(deps, oidc, metadata, given)
    const payload = await verifyIdToken(deps, oidc, tokens.idToken, nonceOf(secret))
    const person = await describePerson(oidc, metadata, payload, tokens.accessToken)
    return { person, returnTo, endedCookie: cookieOf(deps, answer.state ?? '', '', 0) }
  } catch (error) {
    if (error instanceof SvcError && (error.code === 'egress-denied' || error.code === 'fetch-failed'))
      throw new SvcError('oidc-unavailable', { reason: error.message })
    throw error
  }
}
