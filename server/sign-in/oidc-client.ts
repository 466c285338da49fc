/** The protocol of signing in with an identity provider, by the certified client library, through the egress guard. */
import { errors, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import { SvcError } from '../../src/errors.ts'
import type { Clock } from '../../db/clock.ts'
import { claimsOf, type ExternalPerson } from './external-identity.ts'
import { providerRequests } from '../egress/door.ts'
import { hasClaim } from '../role-rules/door.ts'
import { type Issuer, signingAlgorithms } from './issuer.ts'
import type { Oidc } from './oidc-settings.ts'

/** A subject goes into an index and into the audit trail. */
const longestSubject = 255
const clockToleranceSeconds = 30

/** What the browser brings back from the provider. */
export interface OidcAnswer {
  readonly code?: string
  readonly state?: string
  readonly iss?: string
  readonly error?: string
}

/** What ties an answer to the sign-in that was begun. */
export interface OidcAttempt {
  readonly state: string
  readonly nonce: string
  /** The code verifier (RFC 7636). */
  readonly verifier: string
  readonly redirectUri: string
  /** The oldest id_token that is accepted. */
  readonly maxAgeSeconds: number
}

export const refused = (reason: string): SvcError => new SvcError('oidc-refused', { reason })

/** What another party wrote, short and without characters that mean anything in a log or a page. */
const quoted = (text: string): string => text.replaceAll(/[^\w.-]/g, ' ').slice(0, 60)

/** The library's errors as those of the service; the reason goes to the log, never to a page. */
function errorOf(error: unknown): unknown {
  if (error instanceof SvcError)
    return error.code === 'egress-denied' || error.code === 'fetch-failed'
      ? new SvcError('oidc-unavailable', { reason: error.message })
      : error
  if (error instanceof oauth.AuthorizationResponseError) return refused(`the provider answered ${quoted(error.error)}`)
  if (error instanceof oauth.ResponseBodyError)
    return refused(`the provider gave no tokens (${error.status} ${quoted(error.error)})`)
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return refused(`the provider gave no claims (${error.status})`)
  if (error instanceof oauth.OperationProcessingError) {
    const isMetadata = error.code === oauth.MISSING_SERVER_METADATA || error.code === oauth.INVALID_SERVER_METADATA
    return isMetadata ? new SvcError('oidc-unavailable', { reason: error.message }) : refused(error.message)
  }
  if (error instanceof oauth.UnsupportedOperationError || error instanceof errors.JOSEError)
    return refused(error.message)
  return error
}

/** Runs a step of the protocol. @throws SvcError `oidc-refused`, `oidc-unavailable` */
async function step<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw errorOf(error)
  }
}

// Which signatures count is decided here, not by what the provider lists of itself.
const serverOf = async (issuer: Issuer): Promise<oauth.AuthorizationServer> => ({
  ...(await issuer.metadata()),
  id_token_signing_alg_values_supported: [...signingAlgorithms],
})

function clientAuthOf({ clientSecret }: Oidc['settings'], server: oauth.AuthorizationServer): oauth.ClientAuth {
  if (clientSecret === null) return oauth.None()
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret)
}

/**
 * The address that a browser signs in at (OpenID Connect Core 1.0, 3.1.2.1; RFC 7636).
 * @throws SvcError `oidc-unavailable`, `issuer-unavailable`
 */
export async function authorizationUrl({ settings, issuer }: Oidc, attempt: OidcAttempt): Promise<string> {
  const { authorization_endpoint: endpoint } = await issuer.metadata()
  const url = URL.parse(endpoint ?? '')
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new SvcError('oidc-unavailable', { reason: 'it names no authorization_endpoint' })
  const parameters = {
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: attempt.redirectUri,
    scope: settings.scopes,
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** The library trusts the connection that an id_token came over; here its signature and its age are checked too. */
async function verifySignature(issuer: Issuer, token: string, attempt: OidcAttempt, clock: Clock): Promise<void> {
  try {
    await jwtVerify(token, (header) => issuer.key(header), {
      algorithms: signingAlgorithms,
      currentDate: new Date(clock.now()),
      clockTolerance: clockToleranceSeconds,
      maxTokenAge: attempt.maxAgeSeconds,
    })
  } catch (error) {
    // A key that cannot be used at all: too short, or for another algorithm.
    throw error instanceof TypeError ? refused(`its token cannot be verified (${error.message})`) : error
  }
}

/** Who has signed in, with all that the provider says of them. */
export interface SignedIn {
  readonly person: ExternalPerson
  /** The claims of the id_token, and those that only the userinfo endpoint has; an address only with what proves it. */
  readonly claims: Readonly<Record<string, unknown>>
  readonly idToken: string
  /** The session at the provider (`sid`); null where it names none. */
  readonly sid: string | null
}

type Told = Readonly<Record<string, unknown>>

/** The claims of both places. An address and its proof are taken from one of them, never one from each. */
function mergedClaims(token: Told, info: Told | null): Told {
  if (info === null) return token
  const { email, email_verified, ...others } = info
  return token.email === undefined ? { ...others, ...token, email, email_verified } : { ...others, ...token }
}

/**
 * Who the provider says has signed in: its answer (RFC 9207), the tokens for its code, the id_token with its signature
 * (OpenID Connect Core 1.0, 3.1.3.7), and where that lacks the address or a claim that is wanted those of the userinfo endpoint.
 * @param wanted claims that rules look at; where the endpoint cannot be asked for them, they are absent
 * @throws SvcError `oidc-refused`, `oidc-unavailable`, `issuer-unavailable`
 */
export async function redeemAnswer(
  oidc: Oidc,
  answer: OidcAnswer,
  attempt: OidcAttempt,
  { clock, wanted }: { readonly clock: Clock; readonly wanted: readonly string[] },
): Promise<SignedIn> {
  const server = await serverOf(oidc.issuer)
  const client: oauth.Client = {
    client_id: oidc.settings.clientId,
    [oauth.clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
    [oauth.clockTolerance]: clockToleranceSeconds,
  }
  const requests = providerRequests(oidc.issuer.name, oidc.egressAllow)
  return step(async () => {
    const sent = new URLSearchParams(Object.entries(answer).filter(([, value]) => value !== undefined))
    const parameters = oauth.validateAuthResponse(server, client, sent, attempt.state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      clientAuthOf(oidc.settings, server),
      parameters,
      attempt.redirectUri,
      attempt.verifier,
      requests,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      // Without an id_token, which has the nonce, the answer is refused.
      expectedNonce: attempt.nonce,
    })
    await verifySignature(oidc.issuer, tokens.id_token ?? '', attempt, clock)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (claims === undefined || claims.sub === '' || claims.sub.length > longestSubject)
      throw refused('the id_token has no usable subject')
    if (claims.azp !== undefined && claims.azp !== client.client_id) throw refused('it was issued to another client')
    const askInfo = async (): Promise<Told> => {
      const info = await oauth.userInfoRequest(server, client, tokens.access_token, requests)
      // Signed claims would have to be verified, and this client asked for plain ones.
      if (info.headers.get('content-type')?.startsWith('application/jwt') === true)
        throw refused('the userinfo endpoint answered with a JWT')
      return oauth.processUserInfoResponse(server, client, claims.sub, info)
    }
    const { email, sid } = claims as Told
    const lacks = server.userinfo_endpoint !== undefined && wanted.some((it) => !hasClaim(claims, it))
    let info: Told | null = null
    if (email === undefined && server.userinfo_endpoint !== undefined) info = await askInfo()
    else if (lacks)
      // Nobody is kept out because the groups cannot be had: rules are undecided then.
      info = await askInfo().catch((error: unknown) => {
        const failure = errorOf(error)
        oidc.onFailure(`its userinfo endpoint gave no more claims: ${failure instanceof Error ? failure.message : ''}`)
        return null
      })
    const told = mergedClaims(claims, info)
    return {
      person: claimsOf(oidc.issuer.name, claims.sub, told),
      claims: told,
      idToken: tokens.id_token ?? '',
      sid: typeof sid === 'string' && sid !== '' && sid.length <= longestSubject ? sid : null,
    }
  })
}
