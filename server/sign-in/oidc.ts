import { and, eq, gt } from 'drizzle-orm'
import { oidcAttempts } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { hashSecret, randomBase62, setCookie, spendAddress } from '../auth/door.ts'
import type { Identity } from './identity.ts'
import { claimsWanted, rulesProblem } from '../role-rules/door.ts'
import {
  authorizationUrl,
  redeemAnswer,
  refused,
  type OidcAnswer,
  type OidcAttempt,
  type SignedIn,
} from './oidc-client.ts'
import type { Oidc } from './oidc-settings.ts'

const attemptMs = 10 * 60_000
export const callbackPath = '/_app/oidc/callback'
const statePattern = /^[0-9A-Za-z]{43}$/

/** The configured provider. @throws SvcError `oidc-not-configured` */
export function oidcOf(deps: Identity): Oidc {
  if (deps.oidc === null) throw new SvcError('oidc-not-configured')
  return deps.oidc
}

/** Where people come back to: the application, documentation, portals. */
const pages = /^\/(?:app|v1\/swagger|p)\//

/**
 * A path of the application or of a page to come back to; "/app/" for anything that could lead elsewhere: another origin, another
 * scheme, a path that a browser would read as an address.
 */
export function safeReturn(text: string | undefined): string {
  const base = 'http://application.invalid'
  const url = text === undefined || !pages.test(text) || /[\\\s]/.test(text) ? null : URL.parse(text, base)
  if (url === null || url.origin !== base || !pages.test(url.pathname)) return '/app/'
  return url.pathname + url.search + url.hash
}

const cookieName = (state: string): string => `svc_oidc_${state.slice(0, 12)}`
const cookieOf = (deps: Identity, state: string, value: string, seconds: number): string =>
  setCookie(cookieName(state), value, {
    path: '/_app/oidc',
    maxAge: seconds,
    sameSite: 'lax',
    secure: deps.secureCookies,
  })

/** Code verifier (RFC 7636) and nonce: made of what only this browser holds, so that neither is stored anywhere. */
const verifierOf = (secret: string): string => hashSecret(`verifier:${secret}`)
const nonceOf = (secret: string): string => hashSecret(`nonce:${secret}`)

const redirectUri = (deps: Identity): string => `${deps.publicUrl()}${callbackPath}`

/** A sign-in as the provider is asked about it, from the two secrets of it: that of the address and that of the browser. */
const attemptOf = (deps: Identity, state: string, secret: string): OidcAttempt => ({
  state,
  nonce: nonceOf(secret),
  verifier: verifierOf(secret),
  redirectUri: redirectUri(deps),
  maxAgeSeconds: attemptMs / 1000,
})

/**
 * Begins a sign-in: where to send the browser, and the cookie that ties the answer to it.
 * @throws SvcError `oidc-not-configured`, `oidc-unavailable`, `issuer-unavailable`, `auth-rate-limited`
 */
export async function beginOidc(
  deps: Identity,
  given: { readonly returnTo: string | undefined; readonly address: string | null },
): Promise<{ readonly location: string; readonly cookie: string }> {
  const oidc = oidcOf(deps)
  await spendAddress(deps.db, given.address, deps.clock.now())
  const state = randomBase62(43)
  const secret = randomBase62(43)
  const location = await authorizationUrl(oidc, attemptOf(deps, state, secret))
  await deps.db.inTransaction((tx) =>
    tx.insert(oidcAttempts).values({
      stateHash: hashSecret(state),
      browserHash: hashSecret(secret),
      returnTo: safeReturn(given.returnTo),
      expiresAt: deps.clock.iso(attemptMs),
    }),
  )
  return { location, cookie: cookieOf(deps, state, secret, attemptMs / 1000) }
}

/** Uses up the attempt of a state and of this browser's cookie. @throws SvcError `oidc-refused` */
async function takeAttempt(deps: Identity, state: string, cookies: string | null) {
  if (!statePattern.test(state)) throw refused('the answer has no valid state')
  const secret = new Bun.CookieMap(cookies ?? '').get(cookieName(state)) ?? ''
  const [row] = await deps.db.inTransaction((tx) =>
    tx
      .delete(oidcAttempts)
      .where(
        and(
          eq(oidcAttempts.stateHash, hashSecret(state)),
          // The answer to a sign-in that another browser began would sign this one in as another person.
          eq(oidcAttempts.browserHash, hashSecret(secret)),
          gt(oidcAttempts.expiresAt, deps.clock.iso()),
        ),
      )
      .returning({ returnTo: oidcAttempts.returnTo }),
  )
  if (row === undefined)
    throw refused('the sign-in was not begun in this browser, has expired, or was answered already')
  return { secret, returnTo: row.returnTo }
}

/**
 * Who signed in with the provider, and the page of the application to go to.
 * @throws SvcError `oidc-not-configured`, `oidc-refused`, `oidc-unavailable`, `issuer-unavailable`
 */
export async function finishOidc(
  deps: Identity,
  answer: OidcAnswer,
  request: Request,
): Promise<SignedIn & { readonly returnTo: string; readonly endedCookie: string }> {
  const oidc = oidcOf(deps)
  const state = answer.state ?? ''
  const { secret, returnTo } = await takeAttempt(deps, state, request.headers.get('cookie'))
  const { file } = deps.rules
  const problem = file === null ? null : rulesProblem(file, oidc.issuer.name)
  if (problem !== null) oidc.onFailure(`${problem}; the last good rules count`)
  const wanted = await claimsWanted(deps, oidc.issuer.name)
  const signedIn = await redeemAnswer(oidc, answer, attemptOf(deps, state, secret), { clock: deps.clock, wanted })
  return { ...signedIn, returnTo, endedCookie: cookieOf(deps, state, '', 0) }
}
