import { oidcApi } from '../../src/api/oidc.ts'
import { type Code, SvcError } from '../../src/errors.ts'
import { Reply, type Route, routesOf } from '../http/door.ts'
import { addressOf, spendAddress } from '../auth/door.ts'
import { applyRules, joinDirectories } from '../role-rules/door.ts'
import { offersPasskeys } from '../second-factors/door.ts'
import type { Identity } from './identity.ts'
import { beginOidc, finishOidc, oidcOf } from './oidc.ts'
import { openSession } from './open-session.ts'
import { accountOf } from './provision.ts'
import { endByProvider } from './provider-logout.ts'

const startPath = '/_app/oidc/start'

const leadTo = (location: string, cookies: readonly string[] = []): Reply =>
  new Reply({ status: 302, headers: { location, 'referrer-policy': 'no-referrer' }, cookies, body: null })

/** A refusal as the provider reads it (Back-Channel Logout 1.0, section 2.8). */
const refusedLogout = (reason: string): Reply =>
  new Reply({
    status: 400,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify({ error: 'invalid_request', error_description: reason }),
  })

/** What the sign-in page has words for; anything else is for the log. */
const shownCodes: readonly Code[] = [
  'oidc-not-configured',
  'oidc-unavailable',
  'oidc-refused',
  'oidc-account-unknown',
  'auth-rate-limited',
]

function shownCode({ code }: SvcError): Code {
  if (code === 'issuer-unavailable') return 'oidc-unavailable'
  return shownCodes.includes(code) ? code : 'oidc-refused'
}

/**
 * What goes wrong leads to the sign-in page, which says it in its own words: only the code travels in the address, so
 * that no one can put words of theirs on that page.
 */
async function orToSignIn(deps: Identity, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    deps.oidc?.onFailure(error.message)
    return leadTo(`/app/sign-in?error=${shownCode(error)}`)
  }
}

/** The routes of signing in at the configured issuer (OpenID Connect Core 1.0, 3.1; RFC 7636; RFC 9207). */
export const oidcRoutes = (deps: Identity): Route[] =>
  routesOf(oidcApi, {
    methods: () => ({
      password: true,
      passkeys: offersPasskeys(deps.publicUrl()),
      oidc: deps.oidc === null ? null : { name: deps.oidc.settings.name, start_url: startPath },
    }),
    start: ({ query }, { request }) =>
      orToSignIn(deps, async () => {
        const { location, cookie } = await beginOidc(deps, {
          returnTo: query?.return_to,
          address: addressOf(request),
        })
        return leadTo(location, [cookie])
      }),
    callback: ({ query }, { request }) =>
      orToSignIn(deps, async () => {
        const { person, claims, idToken, sid, returnTo, endedCookie } = await finishOidc(deps, query ?? {}, request)
        const user = await accountOf(deps, person, oidcOf(deps).settings)
        await applyRules(deps, { person: user, issuer: person.issuer, claims })
        await joinDirectories(deps, user)
        const { cookies } = await openSession(deps, user, request, { via: 'issuer' }, { ...person, sid, idToken })
        return leadTo(returnTo, [...cookies, endedCookie])
      }),
    signedOut: () => leadTo('/app/sign-in'),
    backchannel: async ({ body }, { request }) => {
      try {
        await endByProvider(deps, body?.logout_token ?? '')
        return new Reply({ status: 200, headers: { 'cache-control': 'no-store' }, body: null })
      } catch (error) {
        if (!(error instanceof SvcError) || error.code === 'issuer-unavailable') throw error
        deps.oidc?.onFailure(error.message)
        await spendAddress(deps.db, addressOf(request), deps.clock.now())
        return refusedLogout(error.message)
      }
    },
  })
