import { passkeysApi, secondFactorsApi } from '../../src/api/second-factors.ts'
import { hashSecret, sessionTokenOf, sourceOf } from '../auth/door.ts'
import { type Route, routesOf } from '../http/door.ts'
import type { Deps } from '../kit/door.ts'
import { removeApps } from './authenticator-app.ts'
import { beginApp, confirmApp, removeFactor, renewCodes, showFactors } from './factors.ts'
import { removePasskey } from './passkeys.ts'
import { beginRegistration, finishRegistration, renameOwn } from './registration.ts'
import { relyingPartyOf } from './relying-party.ts'

/** How an app names the service: the host that people reach it at. */
const issuerOf = (publicUrl: string): string => {
  const host = URL.parse(publicUrl)?.hostname ?? ''
  return host === '' ? 'svc' : `svc (${host})`
}

/** What ties the two halves of adding a passkey to one session. */
const sessionHashOf = (request: Request): string => hashSecret(sessionTokenOf(request) ?? '')

/** The routes of a person's own passkeys. */
export const passkeyRoutes = (deps: Deps): Route[] =>
  routesOf(passkeysApi, {
    begin: async ({ body }, { grant, request }) => {
      const party = relyingPartyOf(deps.publicUrl(), request)
      const given = { password: body.current_password, source: sourceOf(request), session: sessionHashOf(request) }
      return beginRegistration(deps, grant, party, given)
    },
    add: async ({ body }, { grant, request }) => {
      const party = relyingPartyOf(deps.publicUrl(), request)
      return finishRegistration(deps, grant, party, { ...body, session: sessionHashOf(request) })
    },
    rename: ({ body, params }, { grant }) => renameOwn(deps, grant, params.passkey_id, body.name),
    remove: async ({ body, params }, { grant, request }) => {
      const given = { password: body.current_password, source: sourceOf(request) }
      await removeFactor(deps, grant, { ...given, factor: 'such passkey', method: 'passkey' }, (tx, userId) =>
        removePasskey(tx, userId, params.passkey_id),
      )
      return null
    },
  })

/** The routes of a person's own second factors. */
export const secondFactorRoutes = (deps: Deps): Route[] =>
  routesOf(secondFactorsApi, {
    show: (_, { grant }) => showFactors(deps, grant),
    beginApp: ({ body }, { grant, request }) =>
      beginApp(deps, grant, {
        password: body.current_password,
        source: sourceOf(request),
        issuer: issuerOf(deps.publicUrl()),
      }),
    confirmApp: ({ body }, { grant, request }) => confirmApp(deps, grant, body.code, sourceOf(request)),
    removeApp: async ({ body }, { grant, request }) => {
      const given = { password: body.current_password, source: sourceOf(request) }
      await removeFactor(deps, grant, { ...given, factor: 'authenticator app', method: 'totp' }, (tx, userId) =>
        removeApps(deps, tx, userId),
      )
      return null
    },
    renewCodes: async ({ body }, { grant, request }) => ({
      recovery_codes: await renewCodes(deps, grant, body.current_password, sourceOf(request)),
    }),
  })
