import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose'
import { trusts } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import type { Deps } from '../kit/door.ts'
import { Issuer } from '../sign-in/door.ts'
import { misfits } from './conditions.ts'

export type TrustRow = typeof trusts.$inferSelect

/** Signatures with a public key only, so that none can be confused with a shared secret. */
const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519']
const clockToleranceSeconds = 30
const keptIssuers = 500
const unavailable = new SvcError('issuer-unavailable').message

interface KeptIssuer {
  readonly issuer: Issuer
  /** Why it could not be read last. */
  failure: string | null
}

/** The issuers of trusts, whose keys one process keeps for all organizations: they are public. */
export class TrustIssuers {
  readonly #kept = new SizedCache<KeptIssuer>(keptIssuers)
  readonly #deps: Deps
  constructor(deps: Deps) {
    this.#deps = deps
  }

  of({ issuer: name, jwksUri }: Pick<TrustRow, 'issuer' | 'jwksUri'>): KeptIssuer {
    const key = JSON.stringify([name, jwksUri])
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const { egressAllow, clock } = this.#deps
    const kept: KeptIssuer = {
      failure: null,
      issuer: new Issuer({
        issuer: name,
        jwksUri: jwksUri ?? undefined,
        egressAllow,
        clock,
        // That the keys cannot be had without the discovery document says less than why there is none.
        onFailure: (reason) => {
          if (reason !== unavailable) kept.failure = reason
        },
      }),
    }
    this.#kept.set(key, kept, 1)
    return kept
  }
}

/** What a token says before anything of it is proven; null where it is no signed token. */
export function unprovenClaims(token: string): JWTPayload | null {
  try {
    return decodeJwt(token)
  } catch {
    return null
  }
}

/** Why a token cannot be verified at all; null where it can be. */
export function formFault(token: string): string | null {
  try {
    const { alg = '' } = decodeProtectedHeader(token)
    return algorithms.includes(alg)
      ? null
      : `its algorithm "${alg.slice(0, 40)}" is not one of ${algorithms.slice(0, 3).join(', ')}`
  } catch {
    return 'it is not a signed token (JWT)'
  }
}

function reasonOf(error: unknown, trust: TrustRow): string | null {
  if (error instanceof errors.JWTExpired) return 'it has expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return `its audience is not "${trust.audience}"`
    if (error.claim === 'nbf') return 'it is not valid yet'
    return `its claim "${error.claim}" is missing or invalid`
  }
  // The key itself cannot be used: too short, or for another algorithm.
  if (error instanceof errors.JOSEError || error instanceof TypeError) return 'it was not signed by a key of its issuer'
  return null
}

/**
 * A token as one trust sees it: its proven claims, or every reason against it. Reasons of claims that do not fit (`isPrivate`) say what the
 * organization wants, and are for its administrators.
 */
type Verdict = { readonly claims: JWTPayload } | { readonly reasons: readonly string[]; readonly isPrivate: boolean }

const isUsable = (jti: unknown): boolean => typeof jti === 'string' && jti !== '' && jti.length <= 255

/**
 * Verifies a token for one trust (RFC 7519, RFC 8725): the signature by a public key of exactly the issuer of the trust, out of
 * a closed list of algorithms; issuer, audience, expiry, not-before; then the conditions. Where a token says its key could be
 * found (`jku`, `x5u`, `jwk`) is never looked at.
 * @throws SvcError `issuer-unavailable`
 */
export async function verifyFor(
  deps: Deps & { readonly issuers: TrustIssuers },
  trust: TrustRow,
  token: string,
): Promise<Verdict> {
  const { issuer } = deps.issuers.of(trust)
  try {
    const { payload } = await jwtVerify(token, (header) => issuer.key(header), {
      algorithms,
      issuer: trust.issuer,
      audience: trust.audience,
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(deps.clock.now()),
      clockTolerance: clockToleranceSeconds,
    })
    const reasons = misfits(payload, trust.conditions)
    if (reasons.length > 0) return { reasons, isPrivate: true }
    if (trust.singleUse && !isUsable(payload.jti))
      return { reasons: ['it has no usable "jti", and is to be exchanged once only'], isPrivate: false }
    return { claims: payload }
  } catch (error) {
    if (error instanceof SvcError) throw error
    const reason = reasonOf(error, trust)
    if (reason === null) throw error
    return { reasons: [reason], isPrivate: false }
  }
}
