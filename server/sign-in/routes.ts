import { applicationApi, type SessionRecord } from '../../src/api/application.ts'
import { authApi } from '../../src/api/auth.ts'
import { SvcError } from '../../src/errors.ts'
import { secondStepApi } from '../../src/api/second-factors.ts'
import { acceptInvitation, describeInvitation, joinInvitation } from '../members/door.ts'
import { assertSecondFactor, beginPasskey, finishSignIn, relyingPartyOf } from '../second-factors/door.ts'
import {
  checkPassword,
  describeReset,
  isClaimed,
  preferredTenantOf,
  useReset,
  userOf,
  userRecord,
  type UserRow,
} from '../users/door.ts'
import { type Context, Reply, type Route, routesOf } from '../http/door.ts'
import { addressOf, csrfTokenOf, endedCookie, endSession, endSignIn, sessionTokenOf, sourceOf } from '../auth/door.ts'
import type { Identity } from './identity.ts'
import { openSession, type SignInProof } from './open-session.ts'
import { providerLogout } from './provider-logout.ts'
import { describeCaller } from './describe-caller.ts'
import { claimWithToken } from './setup.ts'
import { beginSignIn, changePassword, refreshSignIn } from './sign-in.ts'

/** A form of another site could sign a visitor in as someone else; browsers say where a request comes from. */
function assertOwnPage(request: Request): void {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') throw new SvcError('cross-site-request')
}

const sessionReply = async (
  deps: Identity,
  user: UserRow,
  request: Request,
  { status, ...proof }: SignInProof & { readonly status?: number } = {},
): Promise<Reply> => {
  const { record, cookies } = await openSession(deps, user, request, proof)
  const headers = { 'content-type': 'application/json' }
  return new Reply({ ...(status === undefined ? {} : { status }), headers, cookies, body: JSON.stringify(record) })
}

/**
 * The person of a body with address, password and, for those with several accounts, an organization.
 * @throws SvcError `credentials-invalid`, `auth-rate-limited`, `second-factor-required`
 */
async function signInWith(
  deps: Identity,
  way: 'program' | 'browser',
  body: { readonly email: string; readonly password: string; readonly tenant_slug?: string },
  request: Request,
): Promise<UserRow> {
  const { email, password, tenant_slug: slug } = body
  const preferredTenant = await preferredTenantOf(deps.db.read, slug)
  const user = await checkPassword(deps, { email, password, preferredTenant, source: sourceOf(request) })
  await assertSecondFactor(deps, user, { way })
  return user
}

/** The routes of signing in and out for programs. */
export const authRoutes = (deps: Identity): Route[] =>
  routesOf(authApi, {
    login: async ({ body }, { request }) =>
      beginSignIn(deps, await signInWith(deps, 'program', body, request), { source: sourceOf(request) }),
    refresh: ({ body }, { request }) => refreshSignIn(deps, body.refresh_token, addressOf(request)),
    logout: async ({ body }) => {
      await endSignIn(deps.db, body.refresh_token, deps.clock.now())
      return null
    },
    password: async ({ body }, { grant, request }) => {
      await changePassword(deps, grant, {
        current: body.current_password,
        next: body.new_password,
        source: sourceOf(request),
        keepSession: sessionTokenOf(request),
      })
      return null
    },
    me: (_, { grant }) => describeCaller(deps, grant),
  })

async function currentSession(deps: Identity, { grant, request }: Context): Promise<SessionRecord> {
  const claimed = await isClaimed(deps.db.read)
  const { principal } = grant
  const token = sessionTokenOf(request)
  if (principal?.kind !== 'user' || principal.via !== 'session' || token === null)
    return { claimed, user: null, csrf_token: null }
  const user = await userOf(deps.db.read, principal.userId)
  return { claimed, user: userRecord(user), csrf_token: csrfTokenOf(token) }
}

const { session, claim, login, logout, invitation, acceptInvitation: acceptance } = applicationApi
const { passwordReset, resetPassword } = applicationApi
const sessionApi = {
  session,
  claim,
  login,
  logout,
  invitation,
  acceptInvitation: acceptance,
  passwordReset,
  resetPassword,
}

/** The routes of browser sessions, which only the application calls. */
export const sessionRoutes = (deps: Identity): Route[] =>
  routesOf(sessionApi, {
    session: (_, context) => currentSession(deps, context),
    claim: async ({ body }, { request }) => {
      assertOwnPage(request)
      return sessionReply(deps, await claimWithToken(deps, { ...body, address: addressOf(request) }), request, {
        status: 201,
      })
    },
    login: async ({ body }, { request }) => {
      assertOwnPage(request)
      return sessionReply(deps, await signInWith(deps, 'browser', body, request), request)
    },
    logout: async (_, { request }) => {
      const token = sessionTokenOf(request)
      const location = token === null ? null : await providerLogout(deps, token)
      if (token !== null) await deps.db.inTransaction((tx) => endSession(tx, token))
      const headers = { 'set-cookie': endedCookie(deps.secureCookies) }
      if (location === null) return new Reply({ status: 204, headers, body: null })
      const body = JSON.stringify({ location })
      return new Reply({ status: 200, headers: { ...headers, 'content-type': 'application/json' }, body })
    },
    invitation: ({ body }, { request }) => describeInvitation(deps, body.token, addressOf(request)),
    acceptInvitation: async ({ body }, { request }) => {
      assertOwnPage(request)
      const user = await acceptInvitation(deps, {
        ...body,
        source: sourceOf(request),
        assertSecondFactor: (found, invitationId) => assertSecondFactor(deps, found, { way: 'browser', invitationId }),
      })
      return sessionReply(deps, user, request, { status: 201 })
    },
    passwordReset: ({ body }, { request }) => describeReset(deps, body.token, addressOf(request)),
    resetPassword: async ({ body }, { request }) => {
      assertOwnPage(request)
      const user = await useReset(deps, { ...body, address: addressOf(request) })
      if (user.status !== 'active')
        throw new SvcError('credentials-invalid', { reason: 'the password was set, but the account is disabled' })
      await assertSecondFactor(deps, user, { way: 'browser' })
      return sessionReply(deps, user, request, { status: 201 })
    },
  })

/** The routes of the second step of signing in, and of signing in with a passkey alone. */
export const secondStepRoutes = (deps: Identity): Route[] =>
  routesOf(secondStepApi, {
    passkey: ({ body }, { request }) => {
      assertOwnPage(request)
      return beginPasskey(deps, relyingPartyOf(deps.publicUrl(), request), body.ticket ?? null, sourceOf(request))
    },
    program: async ({ body }, { request }) => {
      const source = sourceOf(request)
      const { user, proof, invitationId } = await finishSignIn(deps, body, source)
      if (invitationId !== null) await joinInvitation(deps, invitationId, user)
      return beginSignIn(deps, user, { source, detail: proof })
    },
    browser: async ({ body }, { request }) => {
      assertOwnPage(request)
      const party = body.passkey === undefined ? null : relyingPartyOf(deps.publicUrl(), request)
      const { user, proof, invitationId } = await finishSignIn(deps, body, sourceOf(request), party)
      if (invitationId !== null) await joinInvitation(deps, invitationId, user)
      return sessionReply(deps, user, request, proof)
    },
  })
