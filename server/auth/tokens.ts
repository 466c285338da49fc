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
import { SvcError } from '../../src/errors.ts'

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
  /** Milliseconds since the epoch. */
  readonly issuedAt: number
}

/** Issues and verifies access tokens. */
export interface Tokens {
  readonly issuer: string
  readonly issue: (userId: string) => Promise<{ readonly token: string; readonly expiresIn: number }>
  /** @throws SvcError `credentials-invalid` for anything but an unexpired token of this service. */
  readonly verify: (token: string) => Promise<AccessToken>
}

interface Signing {
  readonly kid: string
  readonly key: CryptoKey
  /** Milliseconds since the epoch: from here on a fresh key signs. */
  readonly until: number
}

interface KeyDeps {
  readonly keys: PublicKeys
  readonly clock: Clock
}

/** The public keys that this process has used, by `kid`: at most a hundred, so that foreign tokens cannot fill memory. */
function createKnownKeys({ keys }: KeyDeps) {
  const known = new Map<string, CryptoKey>()
  return {
    add: (kid: string, key: CryptoKey): void => {
      if (known.size > 100) known.clear()
      known.set(kid, key)
    },
    /** The key of a `kid`, or null where none is published or it is not an Ed25519 key. */
    async find(kid: string): Promise<CryptoKey | null> {
      const cached = known.get(kid)
      if (cached !== undefined) return cached
      const jwk = await keys.find(kid)
      if (jwk === null || jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519') return null
      const key = await importJWK({ kty: jwk.kty, crv: jwk.crv, ...(jwk.x === undefined ? {} : { x: jwk.x }) }, 'EdDSA')
      if (key instanceof Uint8Array) return null
      this.add(kid, key)
      return key
    },
  }
}

/** Makes a key pair and publishes its public half. */
async function startSigning({ keys, clock }: KeyDeps): Promise<{ signing: Signing; publicKey: CryptoKey }> {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
  const publicKey = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(publicKey)
  const until = clock.now() + keyLifeSeconds * 1000
  // Its last token is signed at `until` at the latest, and the key must outlive that token.
  await keys.publish(kid, { ...publicKey, kid, alg: 'EdDSA', use: 'sig' }, until + accessTokenSeconds * 1000)
  return { signing: { kid, key: pair.privateKey, until }, publicKey: pair.publicKey }
}

/**
 * Access tokens: JWTs (RFC 7519) signed with Ed25519 (RFC 8037). A private key never leaves the process that made it:
 * each process makes its own at the first token and publishes only the public half, so nothing at rest can sign.
 * Verification takes the one algorithm and the keys it knows by `kid`; it never looks at `jku`, `jwk` or `x5u`.
 */
export function createTokens(deps: KeyDeps & { readonly issuer: string }): Tokens {
  const known = createKnownKeys(deps)
  let current: Promise<Signing> | undefined

  const signingKey = async (): Promise<Signing> => {
    if (current !== undefined) {
      const signing = await current.catch(() => undefined)
      if (signing !== undefined && deps.clock.now() < signing.until) return signing
    }
    current = startSigning(deps).then(({ signing: fresh, publicKey }) => {
      known.add(fresh.kid, publicKey)
      return fresh
    })
    return current
  }

  return {
    issuer: deps.issuer,

    async issue(userId) {
      const { kid, key } = await signingKey()
      const seconds = Math.floor(deps.clock.now() / 1000)
      const token = await new SignJWT()
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
      const key = await known.find(kid)
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
        return { userId: payload.sub ?? '', id: payload.jti ?? '', issuedAt: (payload.iat ?? 0) * 1000 }
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw refused('the token has expired')
        if (error instanceof errors.JOSEError) throw refused('the token is not one of this service')
        throw error
      }
    },
  }
}

const refused = (reason: string): SvcError => new SvcError('credentials-invalid', { reason })

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
