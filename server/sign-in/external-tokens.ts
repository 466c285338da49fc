import { decodeJwt, errors, jwtVerify } from 'jose'
import type { Clock } from '../../db/clock.ts'
import { claimsOf, type ExternalPerson } from './external-identity.ts'
import { type Issuer, signingAlgorithms } from './issuer.ts'
import { refused } from '../auth/door.ts'

/** The issuers beside this service whose access tokens are valid here. */
export interface ExternalTokens {
  /** Whether a token says that it comes from one of them; it may still be false. */
  readonly claims: (token: string) => boolean
  /**
   * The account that it identifies.
   * @throws SvcError `credentials-invalid`, `issuer-unavailable`
   */
  readonly verify: (token: string) => Promise<ExternalPerson>
}

const clockToleranceSeconds = 30
/** A subject goes into an index and into the audit trail. */
const longestSubject = 255

function issuerOf(token: string): string | null {
  try {
    return decodeJwt(token).iss ?? null
  } catch {
    return null
  }
}

/**
 * Verifies access tokens of configured issuers (RFC 7519, RFC 8725): the signature by a public key of exactly the issuer
 * that the token names, with an algorithm of a closed list; issuer, audience, expiry and not-before. Where a token says
 * its key could be found (`jku`, `x5u`, `jwk`) is never looked at.
 */
export function createExternalTokens(issuers: readonly Issuer[], audience: string, clock: Clock): ExternalTokens {
  const byName = new Map(issuers.map((issuer) => [issuer.name, issuer]))
  const find = (token: string): Issuer | null => byName.get(issuerOf(token) ?? '') ?? null
  return {
    claims: (token) => find(token) !== null,
    async verify(token) {
      const issuer = find(token)
      if (issuer === null) throw refused('its issuer is not trusted')
      try {
        const { payload } = await jwtVerify(token, (header) => issuer.key(header), {
          algorithms: signingAlgorithms,
          issuer: issuer.name,
          audience,
          requiredClaims: ['sub', 'exp'],
          currentDate: new Date(clock.now()),
          clockTolerance: clockToleranceSeconds,
        })
        const subject = payload.sub ?? ''
        if (subject === '' || subject.length > longestSubject) throw refused('it has no usable subject')
        return claimsOf(issuer.name, subject, payload)
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw refused('the token has expired')
        if (error instanceof errors.JWTClaimValidationFailed)
          throw refused(`the claim "${error.claim}" of the token is invalid`)
        if (error instanceof errors.JOSEError) throw refused('the token was not signed by a key of its issuer')
        // A key that cannot be used at all: too short, or for another algorithm.
        if (error instanceof TypeError) throw refused('the token was not signed by a key of its issuer')
        throw error
      }
    },
  }
}
