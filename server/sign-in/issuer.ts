import { createLocalJWKSet, errors } from 'jose'
import type { CryptoKey, JSONWebKeySet, JWSHeaderParameters } from 'jose'
import {
  type AuthorizationServer,
  discoveryRequest,
  INVALID_RESPONSE,
  JSON_ATTRIBUTE_COMPARISON,
  OperationProcessingError,
  processDiscoveryResponse,
} from 'oauth4webapi'
import type { Clock } from '../../db/clock.ts'
import { SvcError } from '../../src/errors.ts'
import { guardedResponse, type Network, providerRequests } from '../egress/door.ts'

/** Signatures that are trusted: with a public key only, so that none can be confused with a shared secret. */
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

export interface IssuerOptions {
  /** Exactly as the issuer writes itself in `iss`. */
  readonly issuer: string
  /** Where its keys are, for issuers without discovery. */
  readonly jwksUri?: string | undefined
  /** Networks beside the public internet that may be reached. */
  readonly egressAllow: readonly Network[]
  readonly clock: Clock
  /** Called with the reason why an issuer could not be read; callers get no detail. */
  readonly onFailure: (reason: string) => void
}

/** How long what an issuer says of itself is taken for true. */
const freshMs = 10 * 60_000
/** How long its keys still serve when it does not answer any more. */
const staleMs = 60 * 60_000
/** Least pause between two questions, whatever comes: unknown key ids must not become a way to make us ask. */
const pauseMs = 30_000

/** Why a discovery document cannot be used; the library's own texts name its parameters. */
function discoveryFault(error: unknown): string {
  const code = error instanceof OperationProcessingError ? error.code : null
  // An issuer that is not a URL at all is a TypeError of the library.
  if (code === JSON_ATTRIBUTE_COMPARISON || error instanceof TypeError) return otherIssuer
  if (code === INVALID_RESPONSE) return 'its discovery document is invalid: "issuer" must be a string'
  return 'its discovery document must be a JSON object with the media type application/json'
}

const otherIssuer = 'its discovery document names another issuer'

async function discover({ issuer, egressAllow }: IssuerOptions): Promise<AuthorizationServer> {
  const url = new URL(issuer)
  const response = await discoveryRequest(url, { algorithm: 'oidc', ...providerRequests(issuer, egressAllow) })
  if (response.status !== 200) throw new Error(`its discovery document answers ${response.status}`)
  const metadata = await processDiscoveryResponse(url, response).catch((error: unknown) => {
    throw new Error(discoveryFault(error), { cause: error })
  })
  // The library takes addresses that mean the same; tokens name their issuer letter by letter.
  if (metadata.issuer !== issuer) throw new Error(otherIssuer)
  return metadata
}

async function readKeys(from: string, { egressAllow }: IssuerOptions): Promise<ReturnType<typeof createLocalJWKSet>> {
  const response = await guardedResponse(from, egressAllow, { method: 'GET', headers: { accept: 'application/json' } })
  if (response.status !== 200) throw new Error(`its keys answer ${response.status}`)
  return createLocalJWKSet((await response.json()) as JSONWebKeySet)
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
  readonly #metadata: Cached<AuthorizationServer>
  readonly #keys: Cached<ReturnType<typeof createLocalJWKSet>>

  constructor(options: IssuerOptions) {
    this.name = options.issuer
    this.#metadata = new Cached(() => discover(options), options)
    this.#keys = new Cached(async () => {
      const from = options.jwksUri ?? (await this.metadata()).jwks_uri
      if (from === undefined) throw new Error('its discovery document names no jwks_uri')
      return readKeys(from, options)
    }, options)
  }

  /** Its discovery document (OpenID Connect Discovery 1.0). @throws SvcError `issuer-unavailable` */
  async metadata(): Promise<AuthorizationServer> {
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
