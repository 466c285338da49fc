import { SvcError } from '../../src/errors.ts'
import type { Grant, GrantedTenant } from './grant.ts'

/** The tenant of a grant, on a route whose path names one. */
export function tenantOf(grant: Grant): GrantedTenant {
  if (grant.tenant === null) throw new Error('the grant of this route has no organization')
  return grant.tenant
}

/** The caller as `created_by` and the like keep it: "user:<id>", "api-key:<id>"; null for an anonymous caller. */
export function actorOf({ principal }: Grant): string | null {
  if (principal === null) return null
  return principal.kind === 'user' ? `user:${principal.userId}` : `${principal.kind}:${principal.keyId}`
}

/**
 * The id of the person behind a grant.
 * @throws SvcError `person-required` when the caller is a key
 */
export function personOf({ principal }: Grant): string {
  if (principal?.kind !== 'user') throw new SvcError('person-required')
  return principal.userId
}

/**
 * Admits a person in a browser only: no access token, no command line.
 * @throws SvcError `browser-session-required`
 */
export function assertBrowser({ principal }: Grant): void {
  if (principal?.kind !== 'user' || principal.via !== 'session') throw new SvcError('browser-session-required')
}
