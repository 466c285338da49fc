import { createLocalJWKSet, errors } from 'jose'
import type { CryptoKey, JSONWebKeySet, JWSHeaderParameters } from 'jose'
import type { Clock } from '../../db/clock.ts'
import { SvcError } from '../../src/errors.ts'
import type { Network } from '../egress/address.ts'
import { type GuardOptions, guardedFetch } from '../egress/guard.ts'

/** Signatures that are believed: with a public key only, so that none can be confused with a shared secret. */
export const signingAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** What is read of an issuer's discovery document (OpenID Connect Discovery 1.0, RFC 8414). */
export interface IssuerMetadata {
  readonly issuer: string
  readonly authorizationEndpoint: string | null
  readonly tokenEndpoint: string | null
  readonly userinfoEndpoint: string | null
  readonly jwksUri: string
  /** Ways to authenticate at the token endpoint. */
  readonly tokenAuthMethods: readonly string[]
  /** Its answers carry `iss` (RFC 9207). */
  readonly namesItself: boolean
}

export interface IssuerOptions {
  /** Exactly as the issuer writes itself in `iss`. */
  readonly issuer: string
  /** Where its keys are, for issuers without discovery. */
  readonly jwksUri?: string | undefined
  /** Networks beside the public internet that may be reached. */
  readonly egressAllow: readonly Network[]
  readonly clock: Clock
  /** Told why an issuer could not be read; callers get no detail. */
  readonly onFailure: (reason: string) => void
}

/** How long what an issuer says of itself is taken for true. */
const freshMs = 10 * 60_000
/** How long its keys still serve when it does not answer any more. */
const staleMs = 60 * 60_000
/** Least pause between two questions, whatever comes: unknown key ids must not become a way to make us ask. */
const pauseMs = 30_000
const timeoutMs = 5_000
const maxBytes = 512 * 1024

type Json = Readonly<Record<string, unknown>>

/** Asks an address of the issuer through the guard and reads its JSON. Raises `egress-denied`, `fetch-failed`. */
export async function fetchJson(
  url: string,
  allow: readonly Network[],
  request: Pick<GuardOptions, 'method' | 'headers' | 'body'> = {},
): Promise<{ readonly status: number; readonly json: Json }> {
  const { headers, ...rest } = request
  const answer = await guardedFetch(url, {
    allow,
    timeoutMs,
    maxBytes,
    maxRedirects: 0,
    headers: { accept: 'application/json', ...headers },
    ...rest,
  })
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(answer.bytes))
    if (typeof json === 'object' && json !== null && !Array.isArray(json))
      return { status: answer.status, json: json as Json }
  } catch {
    // Said below, as for JSON that is no object.
  }
  throw new SvcError('fetch-failed', {
    url,
    reason: `it answered ${answer.status} with something that is no JSON object`,
  })
}

const textOf = (json: Json, name: string): string | null => (typeof json[name] === 'string' ? json[name] : null)

function metadataOf(json: Json, issuer: string): IssuerMetadata {
  // Without this an issuer could speak for another one (OpenID Connect Discovery 1.0, 4.3).
  if (json.issuer !== issuer) throw new Error('its discovery document names another issuer')
  const jwksUri = textOf(json, 'jwks_uri')
  if (jwksUri === null) throw new Error('its discovery document names no jwks_uri')
  const methods = json.token_endpoint_auth_methods_supported
  return {
    issuer,
    authorizationEndpoint: textOf(json, 'authorization_endpoint'),
    tokenEndpoint: textOf(json, 'token_endpoint'),
    userinfoEndpoint: textOf(json, 'userinfo_endpoint'),
    jwksUri,
    tokenAuthMethods: Array.isArray(methods) ? methods.map(String) : ['client_secret_basic'],
    namesItself: json.authorization_response_iss_parameter_supported === true,
  }
}

interface Kept<T> {
  readonly value: T
  readonly at: number
}

/** A value that is asked for once at a time, not too often, and serves on for a while when asking fails. */
class Cached<T> {
  #kept: Kept<T> | null = null
  #failedAt = Number.NEGATIVE_INFINITY
  #renewedAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | null = null
  readonly #ask: () => Promise<T>
  readonly #options: Pick<IssuerOptions, 'clock' | 'onFailure'>
  constructor(ask: () => Promise<T>, options: Pick<IssuerOptions, 'clock' | 'onFailure'>) {
    this.#ask = ask
    this.#options = options
  }

  /** The value; null when it never came or is too old. `renew` asks again though it is fresh. */
  async get(renew = false): Promise<T | null> {
    if (this.#asking === null && this.#isDue(renew)) {
      if (renew) this.#renewedAt = this.#options.clock.now()
      this.#asking = this.#fetch().finally(() => {
        this.#asking = null
      })
    }
    await this.#asking
    return this.#age() <= staleMs ? (this.#kept?.value ?? null) : null
  }

  #age(): number {
    return this.#kept === null ? Number.POSITIVE_INFINITY : this.#options.clock.now() - this.#kept.at
  }

  #isDue(renew: boolean): boolean {
    const now = this.#options.clock.now()
    if (now - this.#failedAt < pauseMs) return false
    return renew ? now - this.#renewedAt >= pauseMs : this.#age() > freshMs
  }

  async #fetch(): Promise<void> {
    try {
      this.#kept = { value: await this.#ask(), at: this.#options.clock.now() }
    } catch (error) {
      this.#failedAt = this.#options.clock.now()
      this.#options.onFailure(error instanceof Error ? error.message : String(error))
    }
  }
}

/** What is known of one issuer: its discovery document and its keys, read through the egress guard and kept for a while. */
export class Issuer {
  readonly name: string
  readonly #metadata: Cached<IssuerMetadata>
  readonly #keys: Cached<ReturnType<typeof createLocalJWKSet>>

  constructor(options: IssuerOptions) {
    this.name = options.issuer
    const { egressAllow, jwksUri } = options
    this.#metadata = new Cached(async () => {
      const base = options.issuer.replace(/\/+$/, '')
      const { status, json } = await fetchJson(`${base}/.well-known/openid-configuration`, egressAllow)
      if (status !== 200) throw new Error(`its discovery document answers ${status}`)
      return metadataOf(json, options.issuer)
    }, options)
    this.#keys = new Cached(async () => {
      const from = jwksUri ?? (await this.metadata()).jwksUri
      const { status, json } = await fetchJson(from, egressAllow)
      if (status !== 200) throw new Error(`its keys answer ${status}`)
      return createLocalJWKSet(json as unknown as JSONWebKeySet)
    }, options)
  }

  /** What the issuer says of itself. Raises `issuer-unavailable`. */
  async metadata(): Promise<IssuerMetadata> {
    const metadata = await this.#metadata.get()
    if (metadata === null) throw new SvcError('issuer-unavailable')
    return metadata
  }

  /** Whether its keys can be had now. */
  async isReachable(): Promise<boolean> {
    return (await this.#keys.get()) !== null
  }

  /**
   * The public key that a token names, out of the issuer's own set and nowhere else. A key that is not in it makes us
   * ask once more, at most every half minute, which is how a rotation is noticed.
   * @throws SvcError `issuer-unavailable`; an error of jose where the issuer has no such key
   */
  async key(header: JWSHeaderParameters): Promise<CryptoKey> {
    const known = await this.#keys.get()
    if (known === null) throw new SvcError('issuer-unavailable')
    try {
      return await known(header)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
    }
    const renewed = await this.#keys.get(true)
    if (renewed === null) throw new SvcError('issuer-unavailable')
    return renewed(header)
  }
}
