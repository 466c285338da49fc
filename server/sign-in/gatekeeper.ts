import { authenticate, type AuthenticationDeps } from './authenticate.ts'
import { authorize, type Gatekeeper } from '../auth/door.ts'

/** The gatekeeper over the database: credentials and standing are read again for every request. */
export const createGatekeeper = (deps: AuthenticationDeps): Gatekeeper => ({
  authenticate: (request, options) => authenticate(deps, request, options),
  authorize: (principal, access, place) => authorize(deps.db, principal, access, place),
})
