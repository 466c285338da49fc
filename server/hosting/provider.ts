import { SvcError } from '../../src/errors.ts'
import { guardedFetch, type Network, type Resolve } from '../egress/door.ts'
import { at, isOk } from './answers.ts'
import type {
  Ask,
  Credential,
  Identified,
  ProviderAnswer,
  ProviderCalls,
  ProviderHook,
  RepositoryPage,
} from './calls.ts'
import { bitbucketCloud, bitbucketServer } from './bitbucket.ts'
import { github, githubInstallation } from './github.ts'
import { gitlab } from './gitlab.ts'
import type { GitHosts } from './hosts.ts'

const maxBytes = 8 * 1024 * 1024
const timeoutMs = 15_000
const mostScopes = 100

const callsOf = ({
  provider,
  host,
  isInstallation,
}: Pick<Credential, 'provider' | 'host' | 'isInstallation'>): ProviderCalls => {
  if (provider === 'github') return isInstallation === true ? githubInstallation : github
  if (provider === 'gitlab') return gitlab
  return host === 'bitbucket.org' ? bitbucketCloud : bitbucketServer
}

/** The value of the Authorization header that git sends. */
export function gitAuthorization(credential: Credential): string {
  const user = callsOf(credential).gitUser(credential)
  return `Basic ${Buffer.from(`${user}:${credential.token}`).toString('base64')}`
}

/**
 * What git sends to the address of a repository with an account: a token goes to the origin of its own account and to no other.
 * @param origin of the host of the account
 */
export const authorizationTo = (url: string, origin: string, credential: Credential): string | null =>
  new URL(url).origin === origin ? gitAuthorization(credential) : null

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
    // An answer that cannot be read says nothing about the token.
    const login = lineOf(found.login ?? '')
    if (login === '')
      throw new SvcError('provider-failed', { host, reason: 'its answer does not name the account of the token' })
    if (found.missing.length > 0)
      throw new SvcError('account-token-refused', {
        host,
        reason: 'it cannot read repositories',
        missing_scopes: found.missing,
      })
    return { ...found, login, scopes: found.scopes.slice(0, mostScopes).map(lineOf) }
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

  /**
   * Makes a webhook for pushes.
   * @returns its id at the provider
   * @throws SvcError `provider-failed`, `egress-denied`, `fetch-failed`
   */
  async createHook(credential: Credential, hook: ProviderHook, signal: AbortSignal): Promise<string> {
    const answer = await callsOf(credential).createHook(this.#ask(credential, signal), hook)
    const id = at(answer.body, 'id') ?? at(answer.body, 'uuid')
    if (!isOk(answer) || (typeof id !== 'number' && typeof id !== 'string')) throw hookRefused(credential, answer)
    return String(id)
  }

  /** @throws SvcError `provider-failed`, `egress-denied`, `fetch-failed` */
  async updateHook(
    credential: Credential,
    hook: ProviderHook & { readonly id: string },
    signal: AbortSignal,
  ): Promise<void> {
    const answer = await callsOf(credential).updateHook(this.#ask(credential, signal), hook)
    if (!isOk(answer)) throw hookRefused(credential, answer)
  }

  /** @throws SvcError `provider-failed`, `egress-denied`, `fetch-failed` */
  async removeHook(
    credential: Credential,
    hook: { readonly fullName: string; readonly id: string },
    signal: AbortSignal,
  ): Promise<void> {
    const answer = await callsOf(credential).removeHook(this.#ask(credential, signal), hook)
    if (!isOk(answer)) throw hookRefused(credential, answer)
  }

  /** A public JSON document of a provider. @throws SvcError `provider-failed`, `egress-denied`, `fetch-failed` */
  async fetchPublic(url: string, signal: AbortSignal): Promise<unknown> {
    const { status, bytes } = await guardedFetch(url, {
      allow: this.#allow,
      timeoutMs,
      maxBytes,
      maxRedirects: 0,
      signal,
    })
    if (status !== 200)
      throw new SvcError('provider-failed', { host: new URL(url).host, reason: `it answered ${status}` })
    return jsonOf(bytes)
  }

  /** Asks with a credential, or without any where its token is empty. */
  asker(credential: Credential, signal: AbortSignal): Ask {
    return this.#ask(credential, signal)
  }

  #ask(credential: Credential, signal: AbortSignal): Ask {
    const calls = callsOf(credential)
    const { host } = credential
    const base = calls.base(this.#hosts.originOf(host))
    const { authorization, ...rest } = calls.headers(credential)
    const secret = credential.token === '' || authorization === undefined ? {} : { authorization }
    const headers = { accept: 'application/json', ...rest, ...secret }
    return async (path, send) => {
      const answer = await guardedFetch(`${base}${path}`, {
        allow: this.#allow,
        timeoutMs,
        maxBytes,
        maxRedirects: 0,
        headers: send?.body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        ...(send === undefined ? {} : { method: send.method }),
        ...(send?.body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(send.body)) }),
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

const hookRefused = ({ host }: Credential, { status }: ProviderAnswer) =>
  new SvcError('provider-failed', {
    host,
    reason:
      status === 401 || status === 403 || status === 404
        ? `it answered ${status}: the token of the linked account cannot manage webhooks`
        : `it answered ${status}`,
  })

const refused = ({ host }: Credential) =>
  new SvcError('account-token-refused', { host, reason: 'it is wrong, expired or revoked', missing_scopes: [] })

/** A text of a provider as one line of at most 255 characters, without those that people do not see. */
const lineOf = (text: string): string =>
  Array.from(text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' '))
    .slice(0, 255)
    .join('')
    .trim()

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
