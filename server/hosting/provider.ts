import { SvcError } from '../../src/errors.ts'
import type { Network } from '../egress/address.ts'
import { guardedFetch, type Resolve } from '../egress/guard.ts'
import type { Ask, Credential, Identified, ProviderCalls, RepositoryPage } from './calls.ts'
import { bitbucketCloud, bitbucketServer } from './bitbucket.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import type { GitHosts } from './hosts.ts'

const maxBytes = 8 * 1024 * 1024
const timeoutMs = 15_000

const callsOf = ({ provider, host }: Pick<Credential, 'provider' | 'host'>): ProviderCalls => {
  if (provider === 'github') return github
  if (provider === 'gitlab') return gitlab
  return host === 'bitbucket.org' ? bitbucketCloud : bitbucketServer
}

/** The value of the Authorization header that git sends. */
export function gitAuthorization(credential: Credential): string {
  const user = callsOf(credential).gitUser(credential)
  return `Basic ${Buffer.from(`${user}:${credential.token}`).toString('base64')}`
}

/** Speaks to providers over HTTP, through the egress guard. What is sent and answered is kept nowhere. */
export class ProviderApi {
  readonly #allow: readonly Network[]
  readonly #hosts: GitHosts
  readonly #resolve: Resolve | undefined

  constructor(allow: readonly Network[], hosts: GitHosts, resolve?: Resolve) {
    this.#allow = allow
    this.#hosts = hosts
    this.#resolve = resolve
  }

  /**
   * Who a token belongs to.
   * @throws SvcError `account-token-refused`, `provider-failed`, `egress-denied`, `fetch-failed`
   */
  async identify(credential: Credential, signal: AbortSignal): Promise<Identified> {
    const found = await callsOf(credential).identify(this.#ask(credential, signal))
    if (found === null) throw refused(credential)
    const { host } = credential
    if (found.missing.length > 0)
      throw new SvcError('account-token-refused', {
        host,
        reason: 'it cannot read repositories',
        missing_scopes: found.missing,
      })
    return found
  }

  /**
   * A page of the repositories that a token can read.
   * @throws SvcError `account-token-refused`, `provider-failed`, `egress-denied`, `fetch-failed`
   */
  async repositories(
    credential: Credential,
    page: { readonly query: string; readonly cursor: string | null },
    signal: AbortSignal,
  ): Promise<RepositoryPage> {
    const found = await callsOf(credential).list(this.#ask(credential, signal), page.query, page.cursor)
    if (found === null) throw refused(credential)
    return found
  }

  #ask(credential: Credential, signal: AbortSignal): Ask {
    const calls = callsOf(credential)
    const { host } = credential
    const base = calls.base(this.#hosts.originOf(host))
    const headers = { accept: 'application/json', ...calls.headers(credential) }
    return async (path) => {
      const answer = await guardedFetch(`${base}${path}`, {
        allow: this.#allow,
        timeoutMs,
        maxBytes,
        maxRedirects: 0,
        headers,
        signal,
        ...(this.#resolve === undefined ? {} : { resolve: this.#resolve }),
      })
      const { status } = answer
      const isSpent = status === 403 && answer.headers.get('x-ratelimit-remaining') === '0'
      if (isSpent || status === 429 || status >= 500 || (status >= 300 && status < 400))
        throw new SvcError('provider-failed', { host, reason: `it answered ${status}` })
      return { status, headers: answer.headers, body: jsonOf(answer.bytes) }
    }
  }
}

const refused = ({ host }: Credential) =>
  new SvcError('account-token-refused', { host, reason: 'it is wrong, expired or revoked', missing_scopes: [] })

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
