import { SvcError } from '../../src/errors.ts'
import type { Grant, GrantedTenant } from './grant.ts'

/**
 * The id of the person behind a grant.
 * @throws SvcError `person-required` when it is a key
 */
export function personOf(grant: Grant): string {
  if (grant.principal?.kind !== 'user') throw new SvcError('person-required')
  return grant.principal.userId
}

/** The tenant of a grant on a route whose path names one. */
export function grantedTenant(grant: Grant): GrantedTenant {
  if (grant.tenant === null) throw new Error('a route of a tenant was granted without one')
  return grant.tenant
}

/**
 * What is done by a person in a browser and nowhere else: not by a token, not by the command line.
 * @throws SvcError `browser-session-required`
 */
export function assertBrowser(grant: Grant): void {
  if (grant.principal?.kind !== 'user' || grant.principal.via !== 'session')
    throw new SvcError('browser-session-required')
}
