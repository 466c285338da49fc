import type { JsonObject } from '../../kernel/json.ts'
import { family, filled, flag, object, reference, text, uri, words, type BuiltinDeclaration } from './declare.ts'

const seconds: JsonObject = { type: 'number', minimum: 0 }
const audience: JsonObject = { anyOf: [text, words] }

const json = (namespace: string) => family(namespace, 'json', 'ietf', 'json')
const jose = family('rfc7517', 'security', 'ietf', 'jose')
const oauth = family('oauth', 'security', 'ietf', 'oauth')
const openid = family('openid', 'security', 'openid')

/** Types of standards that are objects. */
export const objectTypes: readonly BuiltinDeclaration[] = [
  family(
    'rfc9457',
    'error',
    'ietf',
    'error',
  )(
    'Problem',
    'The details of an error in an HTTP answer, by RFC 9457.',
    object([], {
      type: { ...reference, default: 'about:blank' },
      title: text,
      status: { $ref: 'svc:rfc9110/Status' },
      detail: text,
      instance: reference,
    }),
  ),
  json('rfc6902')('JsonPatch', 'A list of operations on a JSON document, by RFC 6902.', {
    type: 'array',
    items: {
      type: 'object',
      required: ['op', 'path'],
      properties: { path: { $ref: 'svc:rfc6901/JsonPointer' } },
      oneOf: [
        { required: ['value'], properties: { op: { enum: ['add', 'replace', 'test'] } } },
        { properties: { op: { const: 'remove' } } },
        {
          required: ['from'],
          properties: { op: { enum: ['move', 'copy'] }, from: { $ref: 'svc:rfc6901/JsonPointer' } },
        },
      ],
    },
  }),
  family(
    'rfc8288',
    'http',
    'ietf',
    'link',
  )(
    'Link',
    'A link with its relation, by RFC 8288.',
    object(['href', 'rel'], {
      href: reference,
      rel: filled,
      anchor: reference,
      hreflang: { $ref: 'svc:bcp47/LanguageTag' },
      media: text,
      title: text,
      type: { $ref: 'svc:rfc6838/MediaType' },
    }),
  ),
  jose(
    'Jwk',
    'A key as JSON, by RFC 7517 and RFC 7518.',
    object(['kty'], {
      kty: { enum: ['EC', 'RSA', 'oct', 'OKP'] },
      use: text,
      key_ops: words,
      alg: text,
      kid: text,
      x5u: uri,
      x5c: words,
      x5t: text,
      'x5t#S256': text,
    }),
  ),
  jose(
    'JwkSet',
    'A set of keys, by RFC 7517 section 5.',
    object(['keys'], {
      keys: { type: 'array', items: { $ref: 'svc:rfc7517/Jwk' } },
    }),
  ),
  family(
    'rfc7519',
    'security',
    'ietf',
    'jwt',
  )(
    'Claims',
    'The claims of a JSON Web Token, by RFC 7519 section 4.',
    object([], {
      iss: text,
      sub: text,
      aud: audience,
      exp: { type: 'number' },
      nbf: { type: 'number' },
      iat: { type: 'number' },
      jti: text,
    }),
  ),
  oauth(
    'TokenResponse',
    'A successful answer of the token endpoint, by RFC 6749 section 5.1.',
    object(['access_token', 'token_type'], {
      access_token: filled,
      token_type: filled,
      expires_in: seconds,
      refresh_token: text,
      scope: text,
    }),
  ),
  oauth(
    'TokenError',
    'An error of the token endpoint, by RFC 6749 section 5.2.',
    object(['error'], {
      error: { type: 'string', pattern: String.raw`^[\x20-\x21\x23-\x5b\x5d-\x7e]+$` },
      error_description: text,
      error_uri: reference,
    }),
  ),
  oauth(
    'Introspection',
    'An answer about a token, by RFC 7662 section 2.2.',
    object(['active'], {
      active: flag,
      scope: text,
      client_id: text,
      username: text,
      token_type: text,
      exp: { type: 'integer' },
      iat: { type: 'integer' },
      nbf: { type: 'integer' },
      sub: text,
      aud: audience,
      iss: text,
      jti: text,
    }),
  ),
  oauth(
    'ServerMetadata',
    'The metadata of an authorization server, by RFC 8414.',
    object(['issuer', 'response_types_supported'], {
      issuer: { ...uri, pattern: '^https://[^?#]*$' },
      authorization_endpoint: uri,
      token_endpoint: uri,
      jwks_uri: uri,
      registration_endpoint: uri,
      scopes_supported: words,
      response_types_supported: words,
      response_modes_supported: words,
      grant_types_supported: words,
      token_endpoint_auth_methods_supported: words,
      revocation_endpoint: uri,
      introspection_endpoint: uri,
      code_challenge_methods_supported: words,
    }),
  ),
  oauth(
    'ResourceMetadata',
    'The metadata of a protected resource, by RFC 9728.',
    object(['resource'], {
      resource: { ...uri, pattern: '^https://[^#]*$' },
      authorization_servers: { type: 'array', items: uri },
      jwks_uri: uri,
      scopes_supported: words,
      bearer_methods_supported: { type: 'array', items: { enum: ['header', 'body', 'query'] } },
      resource_signing_alg_values_supported: words,
      resource_name: text,
      resource_documentation: uri,
    }),
  ),
  openid(
    'ProviderMetadata',
    'The metadata of an OpenID provider, by OpenID Connect Discovery 1.0.',
    object(
      [
        'issuer',
        'authorization_endpoint',
        'jwks_uri',
        'response_types_supported',
        'subject_types_supported',
        'id_token_signing_alg_values_supported',
      ],
      {
        issuer: { ...uri, pattern: '^https://[^?#]*$' },
        authorization_endpoint: uri,
        token_endpoint: uri,
        userinfo_endpoint: uri,
        jwks_uri: uri,
        scopes_supported: words,
        response_types_supported: words,
        subject_types_supported: { type: 'array', items: { enum: ['pairwise', 'public'] } },
        id_token_signing_alg_values_supported: words,
        claims_supported: words,
      },
    ),
  ),
  openid(
    'UserInfo',
    'The claims about a signed-in user, by OpenID Connect Core 1.0 section 5.1.',
    object(['sub'], {
      sub: { ...filled, maxLength: 255 },
      name: text,
      given_name: text,
      family_name: text,
      preferred_username: text,
      picture: uri,
      email: { $ref: 'svc:rfc5321/Mailbox' },
      email_verified: flag,
      birthdate: { type: 'string', pattern: '^[0-9]{4}(?:-[0-9]{2}-[0-9]{2})?$' },
      zoneinfo: { $ref: 'svc:iana/TimeZone' },
      locale: text,
      phone_number: text,
      phone_number_verified: flag,
      updated_at: { type: 'number' },
    }),
  ),
]
