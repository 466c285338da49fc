import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  jwtVerify,
  SignJWT,
} from 'jose'
import type { CryptoKey, JWK } from 'jose'
import type { Clock } from '../../db/clock.ts'
import { refused } from '../auth/door.ts'

/** Access tokens live 15 minutes; what must end sooner (memberships, accounts) is read per request. */
export const accessTokenSeconds = 15 * 60
/** A process signs at most this long with one key. */
const keyLifeSeconds = 24 * 60 * 60

export const audience = 'svc'

/** Where the public halves of signing keys live: every replica verifies what any of them signed. */
export interface PublicKeys {
  /** The public key of an id, or null when there is none that is still good at `now`. */
  readonly find: (kid: string) => Promise<JWK | null>
  /** Keeps a public key until a moment (milliseconds since the epoch). */
  readonly publish: (kid: string, publicKey: JWK, expiresAt: number) => Promise<void>
}

export interface AccessToken {
  readonly userId: string
  readonly id: string
  /** The sign-in that it was issued in; null: none, or before tokens named it. */
  readonly signIn: string | null
  /** Milliseconds since the epoch. */
  readonly issuedAt: number
}

/** Issues and verifies access tokens. */
export interface Tokens {
  readonly issuer: string
  /** @param signIn the family of refresh tokens that it ends with */
  readonly issue: (userId: string, signIn?: string) => Promise<{ readonly token: string; readonly expiresIn: number }>
  /** @throws SvcError `credentials-invalid` for anything but an unexpired token of this service. */
  readonly verify: (token: string) => Promise<AccessToken>
}

interface Signing {
  readonly kid: string
  readonly key: CryptoKey
  /** Milliseconds since the epoch: from here on a fresh key signs. */
  readonly until: number
}

/**
 * Access tokens: JWTs (RFC 7519) signed with Ed25519 (RFC 8037). A private key never leaves the process that made it:
 * each process makes its own at the first token and publishes only the public half, so nothing at rest can sign.
 * Verification takes the one algorithm and the keys it knows by `kid`; it never looks at `jku`, `jwk` or `x5u`.
 */
export function createTokens(deps: {
  readonly issuer: string
  readonly keys: PublicKeys
  readonly clock: Clock
}): Tokens {
  let signing: Promise<Signing> | undefined
  const known = new Map<string, CryptoKey>()

  const startSigning = async (): Promise<Signing> => {
    const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
    const publicKey = await exportJWK(pair.publicKey)
    const kid = await calculateJwkThumbprint(publicKey)
    const until = deps.clock.now() + keyLifeSeconds * 1000
    // Its last token is signed at `until` at the latest, and the key must outlive that token.
    await deps.keys.publish(kid, { ...publicKey, kid, alg: 'EdDSA', use: 'sig' }, until + accessTokenSeconds * 1000)
    known.set(kid, pair.publicKey)
    return { kid, key: pair.privateKey, until }
  }

  const signingKey = async (): Promise<Signing> => {
    if (signing !== undefined) {
      const current = await signing.catch(() => undefined)
      if (current !== undefined && deps.clock.now() < current.until) return current
    }
    signing = startSigning()
    return signing
  }

  const verifyingKey = async (kid: string): Promise<CryptoKey | null> => {
    const cached = known.get(kid)
    if (cached !== undefined) return cached
    const jwk = await deps.keys.find(kid)
    if (jwk === null || jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519') return null
    const key = await importJWK({ kty: jwk.kty, crv: jwk.crv, ...(jwk.x === undefined ? {} : { x: jwk.x }) }, 'EdDSA')
    if (key instanceof Uint8Array) return null
    if (known.size > 100) known.clear()
    known.set(kid, key)
    return key
  }

  return {
    issuer: deps.issuer,

    async issue(userId, signIn) {
      const { kid, key } = await signingKey()
      const seconds = Math.floor(deps.clock.now() / 1000)
      const token = await new SignJWT(signIn === undefined ? {} : { sid: signIn })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid })
        .setIssuer(deps.issuer)
        .setAudience(audience)
        .setSubject(userId)
        .setJti(crypto.randomUUID())
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + accessTokenSeconds)
        .sign(key)
      return { token, expiresIn: accessTokenSeconds }
    },

    async verify(token) {
      const kid = headerOf(token)
      const key = await verifyingKey(kid)
      if (key === null) throw refused('the token was signed by an unknown key')
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['EdDSA'],
          issuer: deps.issuer,
          audience,
          requiredClaims: ['sub', 'jti', 'iat', 'exp'],
          currentDate: new Date(deps.clock.now()),
          maxTokenAge: accessTokenSeconds,
          clockTolerance: 5,
        })
        const { sub = '', jti = '', iat = 0, sid } = payload
        return { userId: sub, id: jti, signIn: typeof sid === 'string' ? sid : null, issuedAt: iat * 1000 }
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw refused('the token has expired')
        if (error instanceof errors.JOSEError) throw refused('the token is not one of this service')
        throw error
      }
    },
  }
}

/** The key id that a token names. A thumbprint has a fixed form: anything else is refused before it is looked up. */
function headerOf(token: string): string {
  try {
    const { kid, alg } = decodeProtectedHeader(token)
    if (alg === 'EdDSA' && typeof kid === 'string' && /^[\w-]{43}$/.test(kid)) return kid
  } catch {
    throw refused('it is neither a key nor a token')
  }
  throw refused('the token is not one of this service')
}
