/** The OAuth of git providers (RFC 6749, RFC 7636, RFC 9207), by the certified client library, through the egress guard. */
import * as oauth from 'oauth4webapi'
import type { GitProvider } from '../../src/api/linked-accounts.ts'
import { SvcError } from '../../src/errors.ts'
import { type Network, providerRequests } from '../egress/door.ts'
import { at, textAt } from './answers.ts'
import type { GitHosts } from './hosts.ts'

/** An OAuth client that is registered at a provider. */
export interface GitOAuthClient {
  readonly provider: GitProvider
  readonly host: string
  readonly clientId: string
  readonly clientSecret: string
  /** Null: what reading repositories needs. */
  readonly scopes: string | null
}

/** What ties an answer to the visit that was begun. */
export interface Visit {
  readonly state: string
  readonly verifier: string
  readonly redirectUri: string
}

/** What the browser brings back from the provider. */
export interface VisitAnswer {
  readonly code?: string
  readonly state?: string
  readonly iss?: string
  readonly error?: string
}

/** What a provider gives for a code, or in place of tokens that it gave before. */
export interface TokenSet {
  readonly token: string
  /** Null: the token is not renewed, or the one that was given before stays. */
  readonly refreshToken: string | null
  /** Null: it does not expire. */
  readonly expiresInSeconds: number | null
  /** Null: the provider does not say. */
  readonly refreshExpiresInSeconds: number | null
  readonly scopes: readonly string[]
}

interface Endpoints {
  readonly authorize: string
  readonly token: string
  /** Asked for where the operator names none; null: what was registered at the provider. */
  readonly scopes: string | null
  /** Whether the client sends its secret in the Authorization header. */
  readonly isBasic: boolean
}

function endpointsOf(provider: GitProvider, host: string, origin: string): Endpoints {
  if (provider === 'github')
    return {
      authorize: `${origin}/login/oauth/authorize`,
      token: `${origin}/login/oauth/access_token`,
      scopes: 'repo',
      isBasic: false,
    }
  if (provider === 'gitlab')
    return {
      authorize: `${origin}/oauth/authorize`,
      token: `${origin}/oauth/token`,
      scopes: 'read_repository read_api',
      isBasic: false,
    }
  if (host === 'bitbucket.org')
    return {
      authorize: `${origin}/site/oauth2/authorize`,
      token: `${origin}/site/oauth2/access_token`,
      scopes: null,
      isBasic: true,
    }
  const base = `${origin}/rest/oauth2/latest`
  return { authorize: `${base}/authorize`, token: `${base}/token`, scopes: 'REPO_READ', isBasic: false }
}

/** What another party wrote, short and without characters that mean anything in a log or a page. */
const quoted = (text: string): string => text.replaceAll(/[^\w.-]/g, ' ').slice(0, 60)

const refused = (host: string, reason: string) => new SvcError('account-authorization-refused', { host, reason })

/** The library's errors as those of the service. What a provider wrote in prose is not repeated: it may quote what was sent. */
function errorOf(host: string, error: unknown): unknown {
  if (error instanceof SvcError)
    return error.code === 'egress-denied' || error.code === 'fetch-failed'
      ? new SvcError('provider-failed', { host, reason: 'its OAuth address cannot be reached' })
      : error
  if (error instanceof oauth.AuthorizationResponseError) return refused(host, `it answered ${quoted(error.error)}`)
  if (error instanceof oauth.ResponseBodyError) return refused(host, `it gave no token (${quoted(error.error)})`)
  if (error instanceof oauth.WWWAuthenticateChallengeError) return refused(host, `it gave no token (${error.status})`)
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError)
    return refused(host, 'its answer is not one of OAuth')
  return error
}

const positive = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null)

/** Scopes as the providers write them: separated by blanks or commas, as `scope` or `scopes`. */
const scopesIn = (answer: oauth.TokenEndpointResponse): readonly string[] =>
  (textAt(answer, 'scope') ?? textAt(answer, 'scopes') ?? '').split(/[\s,]+/).filter((one) => one !== '')

const tokensOf = (answer: oauth.TokenEndpointResponse): TokenSet => ({
  token: answer.access_token,
  refreshToken: answer.refresh_token ?? null,
  expiresInSeconds: positive(answer.expires_in),
  refreshExpiresInSeconds: positive(at(answer, 'refresh_token_expires_in')),
  scopes: scopesIn(answer),
})

/** Speaks OAuth with git providers. What is sent and answered is kept nowhere. */
export class ProviderOAuth {
  readonly #allow: readonly Network[]
  readonly #hosts: GitHosts

  constructor(allow: readonly Network[], hosts: GitHosts) {
    this.#allow = allow
    this.#hosts = hosts
  }

  #endpoints({ provider, host }: Pick<GitOAuthClient, 'provider' | 'host'>): Endpoints {
    return endpointsOf(provider, host, this.#hosts.originOf(host))
  }

  /** The address at which a person authorizes the client. */
  async authorizationUrl(client: Omit<GitOAuthClient, 'clientSecret'>, visit: Visit): Promise<string> {
    const { authorize, scopes: usual } = this.#endpoints(client)
    const scopes = client.scopes ?? usual
    const url = new URL(authorize)
    const parameters = {
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: visit.redirectUri,
      ...(scopes === null ? {} : { scope: scopes }),
      state: visit.state,
      code_challenge: await oauth.calculatePKCECodeChallenge(visit.verifier),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return url.href
  }

  /**
   * The tokens for the code of an answer.
   * @throws SvcError `account-authorization-refused`, `provider-failed`
   */
  redeem(client: GitOAuthClient, answer: VisitAnswer, visit: Visit): Promise<TokenSet> {
    return this.#step(client, async (server, options) => {
      const { iss, ...rest } = answer
      // Which name a provider has as an issuer is not published by all of them; that it is its own is what counts (RFC 9207).
      if (iss !== undefined && URL.parse(iss)?.origin !== server.issuer)
        throw refused(client.host, 'the answer is of another provider')
      const sent = new URLSearchParams(Object.entries(rest).filter(([, value]) => value !== undefined))
      const parameters = oauth.validateAuthResponse(server, options.client, sent, visit.state)
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        options.client,
        options.auth,
        parameters,
        visit.redirectUri,
        visit.verifier,
        options.requests,
      )
      await assertNoError(client.host, response)
      return tokensOf(await oauth.processAuthorizationCodeResponse(server, options.client, response))
    })
  }

  /**
   * Other tokens for a refresh token (RFC 6749, section 6), which some providers take only once.
   * @throws SvcError `account-authorization-refused`, `provider-failed`
   */
  renew(client: GitOAuthClient, refreshToken: string): Promise<TokenSet> {
    return this.#step(client, async (server, options) => {
      const { client: self, auth, requests } = options
      const response = await oauth.refreshTokenGrantRequest(server, self, auth, refreshToken, requests)
      await assertNoError(client.host, response)
      return tokensOf(await oauth.processRefreshTokenResponse(server, self, response))
    })
  }

  async #step<T>(
    client: GitOAuthClient,
    work: (
      server: oauth.AuthorizationServer,
      options: {
        readonly client: oauth.Client
        readonly auth: oauth.ClientAuth
        readonly requests: ReturnType<typeof providerRequests>
      },
    ) => Promise<T>,
  ): Promise<T> {
    const { host, clientId, clientSecret } = client
    const { token, isBasic } = this.#endpoints(client)
    const issuer = new URL(this.#hosts.originOf(host)).origin
    const auth = isBasic ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret)
    const options = { client: { client_id: clientId }, auth, requests: providerRequests(issuer, this.#allow) }
    try {
      return await work({ issuer, token_endpoint: token }, options)
    } catch (error) {
      throw errorOf(host, error)
    }
  }
}

/** GitHub answers 200 where it refuses a code. */
async function assertNoError(host: string, response: Response): Promise<void> {
  if (response.status === 429) throw new SvcError('provider-failed', { host, reason: 'it answered 429' })
  if (response.status !== 200) return
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const error = textAt(body, 'error')
  if (error !== null) throw refused(host, `it gave no token (${quoted(error)})`)
}
