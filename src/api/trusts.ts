import { Type, type Static } from '@sinclair/typebox'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { endpoint, formType } from './endpoint.ts'
import { person, tenantParams, tenantPath } from './kit.ts'
import { keyScopes } from './permissions.ts'
import { stablePageShape, stableQuery } from './shapes.ts'

/** What an exchange of tokens is called in OAuth (RFC 8693, 2.1). */
export const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'
/** The types of tokens that are taken: both are JWTs. */
export const subjectTokenTypes = [
  'urn:ietf:params:oauth:token-type:jwt',
  'urn:ietf:params:oauth:token-type:id_token',
] as const

/** The longest text of a token of an issuer. */
const longestToken = 16_384
const longestLifetimeSeconds = 3600
const shortestLifetimeSeconds = 60

const issuerUrl = Type.String({ minLength: 1, maxLength: 500 })
const Conditions = Type.Record(
  Type.String({ minLength: 1, maxLength: 100 }),
  Type.String({ minLength: 1, maxLength: 500 }),
  {
    minProperties: 1,
    maxProperties: 20,
    description:
      'One pattern for each claim. All must match: `*` matches any text, `?` one character, everything else itself.',
  },
)

export const TrustRecord = titled(
  'TrustRecord',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    issuer: Type.String(),
    jwks_uri: orNull(Type.String()),
    audience: Type.String(),
    conditions: Type.Record(Type.String(), Type.String()),
    scopes: Type.Array(Type.String()),
    lifetime_seconds: Type.Integer(),
    single_use: Type.Boolean(),
    created_by: orNull(Type.String()),
    created_at: dateTime(),
    last_used_at: orNull(dateTime()),
  }),
)
export type TrustRecord = Static<typeof TrustRecord>

/** What trusts say of a token, each with every reason why it does not take it. */
export const TrustTrial = titled(
  'TrustTrial',
  Type.Object({
    issuer: orNull(Type.String()),
    subject: orNull(Type.String()),
    trusts: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        accepted: Type.Boolean(),
        reasons: Type.Array(Type.String()),
      }),
    ),
  }),
)
export type TrustTrial = Static<typeof TrustTrial>

/** RFC 8693, 2.2.1. */
export const ExchangedToken = titled(
  'ExchangedToken',
  Type.Object({
    access_token: Type.String({ description: 'Sent as X-API-Key or as a bearer token; it cannot be shown again.' }),
    issued_token_type: oneOf([accessTokenType]),
    token_type: oneOf(['Bearer']),
    expires_in: Type.Integer({ description: 'Seconds; at most an hour.' }),
    scope: Type.String({ description: 'Scopes, separated by spaces.' }),
    trust: Type.String({ description: 'Name of the trust that took the token.' }),
  }),
)
export type ExchangedToken = Static<typeof ExchangedToken>

const base = `${tenantPath}/trusts` as const
const trustParams = { ...tenantParams, trust: Type.String({ minLength: 1, description: 'Id or name of the trust.' }) }
const token = Type.String({ minLength: 1, maxLength: longestToken })
const exchanged = {
  subject_token: token,
  trust: Type.Optional(
    Type.String({ maxLength: 100, description: 'Name of the trust, where several take the token.' }),
  ),
}

/** Pipelines without keys: tokens of issuers are exchanged for short-lived access. */
export const trustsApi = {
  list: endpoint({
    id: 'trusts.list',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'List the trusted pipelines of an organization, newest first',
    access: person('api_keys:view'),
    params: Type.Object(tenantParams),
    query: Type.Object({ ...stableQuery, q: Type.Optional(Type.String()) }),
    response: stablePageShape(TrustRecord),
    errors: [],
  }),
  create: endpoint({
    id: 'trusts.create',
    origin: 'own',
    method: 'POST',
    path: base,
    summary: 'Trust tokens of an issuer for conditions on their claims',
    access: person('api_keys:create'),
    params: Type.Object(tenantParams),
    body: bodyOf({
      name: Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-z0-9]+(?:[.-][a-z0-9]+)*$' }),
      issuer: issuerUrl,
      jwks_uri: Type.Optional(issuerUrl),
      audience: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 500,
          description: 'The `aud` that a token must have; the public address of the service when omitted.',
        }),
      ),
      conditions: Conditions,
      scopes: Type.Array(oneOf(keyScopes), { minItems: 1, maxItems: keyScopes.length }),
      lifetime_seconds: Type.Optional(
        Type.Integer({ minimum: shortestLifetimeSeconds, maximum: longestLifetimeSeconds, default: 900 }),
      ),
      single_use: Type.Optional(
        Type.Boolean({ default: false, description: 'A token is exchanged once only; it needs a `jti`.' }),
      ),
    }),
    response: TrustRecord,
    status: 201,
    errors: ['trust-invalid', 'trust-name-taken', 'scopes-invalid'],
  }),
  get: endpoint({
    id: 'trusts.get',
    origin: 'own',
    method: 'GET',
    path: `${base}/{trust}`,
    summary: 'Get a trusted pipeline',
    access: person('api_keys:view'),
    params: Type.Object(trustParams),
    response: TrustRecord,
    errors: ['trust-not-found'],
  }),
  remove: endpoint({
    id: 'trusts.delete',
    origin: 'own',
    method: 'DELETE',
    path: `${base}/{trust}`,
    summary: 'Remove a trusted pipeline; its tokens end at once',
    access: person('api_keys:delete'),
    params: Type.Object(trustParams),
    response: Type.Null(),
    status: 204,
    errors: ['trust-not-found'],
  }),
  test: endpoint({
    id: 'trusts.test',
    origin: 'own',
    method: 'POST',
    path: `${tenantPath}/trust-trials`,
    summary: 'Say which trusts take a token, and why the others do not; nothing is issued',
    access: person('api_keys:view'),
    params: Type.Object(tenantParams),
    body: bodyOf({ token }),
    bodyLimit: 65_536,
    response: TrustTrial,
    errors: [],
  }),
  exchange: endpoint({
    id: 'trusts.exchange',
    origin: 'own',
    method: 'POST',
    path: `${tenantPath}/token`,
    summary: 'Exchange the token of a pipeline for short-lived access (RFC 8693)',
    access: {
      anonymous: true,
      reason: 'The token in the body is the credential; refused ones count as attempts to sign in.',
    },
    params: Type.Object(tenantParams),
    // Another grant or type is 400, as RFC 8693 (2.2.2) asks, so the schema lets both through.
    body: bodyOf({
      ...exchanged,
      grant_type: Type.Optional(Type.String({ maxLength: 100 })),
      subject_token_type: Type.Optional(Type.String({ maxLength: 100 })),
    }),
    describedBody: bodyOf({
      ...exchanged,
      grant_type: Type.Optional(oneOf([exchangeGrant])),
      subject_token_type: Type.Optional(oneOf(subjectTokenTypes)),
    }),
    bodyLimit: 65_536,
    accepts: [formType],
    response: ExchangedToken,
    errors: ['trust-refused', 'issuer-unavailable', 'auth-rate-limited'],
  }),
} as const
