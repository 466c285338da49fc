/** What other rooms use of auth. */
export { addressOf } from './address.ts'
export { chainRowOf, type ChainedAuditEntry, recordAudit, trailOf } from './audit.ts'
export { authorize } from './authorize.ts'
export { grantOfActor } from './acting.ts'
export { Refusals } from './refusals.ts'
export { assertAddress, longestWindowMs, spendAddress, spendBrowser, spendOnboarding, spendUserCode } from './budget.ts'
export { actorOf, personOf, tenantOf } from './caller.ts'
export { setCookie } from './cookie.ts'
export { admit, forgive, forgiveAccount, sweepDelays, type Target } from './delays.ts'
export { replacePassword } from './end-credentials.ts'
export { type Gatekeeper, type Grant, type GrantedTenant, type Whereabouts, wholeOf } from './grant.ts'
export { editorsEditOwn, grantedProjects, rolesOnProjects, teamsOf } from './project-roles.ts'
export { assertTheirs } from './theirs.ts'
export { hashSecret, looksLikeKey, makeKey, randomBase62, readKey, type ReadKey } from './key-format.ts'
export { localOwnerOf } from './local-owner.ts'
export { ensureLocalTenant, localTenantSlug, unclaimedEmail } from './local-tenant.ts'
export { hashPassword, matchPasswords } from './password.ts'
export { administratorsOf, describeActors, inParts, personIn, viewersOf, type Described } from './people.ts'
export { namesBehind, peopleBehind } from './authors.ts'
export { assertOperator } from './operator.ts'
export type { Principal } from './principal.ts'
export {
  hasFactor,
  hasSecondFactor,
  lacksSecondFactor,
  requiresSecondFactor,
  requiringTenants,
  tenantsClosedTo,
} from './second-factor.ts'
export {
  endSignIn,
  isEnded,
  type IssuedRefresh,
  endSignInsOf,
  issueRefreshToken,
  refreshTokenSeconds,
  revokeFamily,
  rotateRefreshToken,
  refused,
} from './refresh.ts'
export {
  beginSession,
  csrfTokenOf,
  endSession,
  endSessionsOf,
  endedCookie,
  readSession,
  sessionIdleMs,
  sessionTokenOf,
  type BegunSession,
} from './session.ts'
export {
  browserKey,
  findKnown,
  networkKey,
  rememberBrowser,
  rememberNetwork,
  sourceOf,
  sweepSources,
  type Source,
} from './source.ts'
