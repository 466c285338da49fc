import { Type, type Static } from '@sinclair/typebox'
import { signInBody, UserRecord } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { stablePageShape, stableQuery } from './shapes.ts'
import { appTenantPath, idParam, inBrowser, person, tenantParams } from './kit.ts'

const email = Type.String({ minLength: 3, maxLength: 254 })
const password = Type.String({ minLength: 1, maxLength: 1024 })
const personName = Type.String({ minLength: 1, maxLength: 200 })
const linkToken = Type.String({ minLength: 1, maxLength: 200 })

/** The browser session. `csrf_token` goes into X-CSRF-Token of everything that changes something. */
export const SessionRecord = titled(
  'SessionRecord',
  Type.Object({
    claimed: Type.Boolean({ description: 'False until the service has a first user.' }),
    user: orNull(UserRecord),
    csrf_token: orNull(Type.String()),
  }),
)
export type SessionRecord = Static<typeof SessionRecord>

/** A REST key as lists show it: the prefix, never the key. */
export const ApiKeyRecord = titled(
  'ApiKeyRecord',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    prefix: Type.String(),
    scopes: Type.Array(Type.String()),
    status: oneOf(['active', 'disabled', 'expired']),
    enabled: Type.Boolean(),
    expires_soon: Type.Boolean({ description: 'Expires within 14 days.' }),
    replaces_id: orNull(Type.String()),
    created_by: orNull(Type.String()),
    created_at: dateTime(),
    expires_at: orNull(dateTime()),
    last_used_at: orNull(dateTime()),
    key: Type.Optional(Type.String({ description: 'Only in the answer that creates it; it cannot be shown again.' })),
  }),
)
export type ApiKeyRecord = Static<typeof ApiKeyRecord>

/** How long the old key lives on after a rotation. */
export const rotationGraces = ['0s', '24h', '7d'] as const
export type RotationGrace = (typeof rotationGraces)[number]

const keysBase = `${appTenantPath}/api-keys`
const keyParams = { ...tenantParams, key_id: idParam }
const expiresInDays = orNull(Type.Integer({ minimum: 1, maximum: 3650, description: 'Null: never expires.' }))

/** Where to go after signing out. */
export const SignedOut = titled(
  'SignedOut',
  Type.Object({ location: Type.String({ description: 'Address of the identity provider.' }) }),
)

/** What only the application calls: its session, and the keys that are made nowhere else. */
export const applicationApi = {
  session: endpoint({
    id: 'app.session',
    origin: 'own',
    method: 'GET',
    path: '/_app/session',
    summary: 'Get the browser session, if there is one',
    access: { anonymous: true, reason: 'The application asks before the caller is known.', credentials: 'optional' },
    response: SessionRecord,
    errors: [],
  }),
  claim: endpoint({
    id: 'app.claim',
    origin: 'own',
    method: 'POST',
    path: '/_app/claim',
    summary: 'Create the first user with the token of the set-up link',
    access: { anonymous: true, reason: 'The token of the set-up link in the body is the credential.' },
    body: bodyOf({ token: linkToken, email, name: personName, password }),
    bodyLimit: 16_384,
    response: SessionRecord,
    status: 201,
    errors: [
      'setup-token-invalid',
      'setup-done',
      'email-invalid',
      'email-taken',
      'password-weak',
      'auth-rate-limited',
      'cross-site-request',
    ],
  }),
  login: endpoint({
    id: 'app.login',
    origin: 'own',
    method: 'POST',
    path: '/_app/login',
    summary: 'Start a browser session',
    access: { anonymous: true, reason: 'It is how a session starts; the sign-in budget limits it.' },
    body: bodyOf(signInBody),
    bodyLimit: 16_384,
    response: SessionRecord,
    errors: ['credentials-invalid', 'auth-rate-limited', 'cross-site-request'],
  }),
  logout: endpoint({
    id: 'app.logout',
    origin: 'own',
    method: 'POST',
    path: '/_app/logout',
    summary: 'End the browser session',
    description:
      'Answers 200 with the address where the browser signs out at the identity provider, where the operator wants that.',
    access: person(null),
    response: SignedOut,
    mayBeEmpty: true,
    errors: ['csrf-token-invalid'],
  }),
  invitation: endpoint({
    id: 'app.invitation',
    origin: 'own',
    method: 'POST',
    path: '/_app/invitation',
    summary: 'Get what an invitation offers',
    access: { anonymous: true, reason: 'The token of the invitation link in the body is the credential.' },
    body: bodyOf({ token: linkToken }),
    bodyLimit: 16_384,
    response: Type.Object({
      email: Type.String(),
      tenant_name: Type.String(),
      role: Type.String(),
    }),
    errors: ['invitation-invalid', 'auth-rate-limited'],
  }),
  acceptInvitation: endpoint({
    id: 'app.invitation.accept',
    origin: 'own',
    method: 'POST',
    path: '/_app/invitation/accept',
    summary: 'Accept an invitation with a new account or an existing one',
    description:
      'With a name, creates an account that can accept invitations of this organization only, until its email address is verified. Without a name, uses an account of the invited address: one with a verified address, one that the operator created, or one that an invitation of this organization created.',
    access: { anonymous: true, reason: 'The token of the invitation link in the body is the credential.' },
    body: bodyOf({ token: linkToken, name: Type.Optional(personName), password }),
    bodyLimit: 16_384,
    response: SessionRecord,
    status: 201,
    errors: [
      'invitation-invalid',
      'credentials-invalid',
      'email-taken',
      'password-weak',
      'quota-exceeded',
      'member-exists',
      'membership-suspended',
      'auth-rate-limited',
      'cross-site-request',
    ],
  }),
  passwordReset: endpoint({
    id: 'app.password-reset',
    origin: 'own',
    method: 'POST',
    path: '/_app/password-reset',
    summary: 'Get the account that a reset link belongs to',
    access: { anonymous: true, reason: 'The token of the reset link in the body is the credential.' },
    body: bodyOf({ token: linkToken }),
    bodyLimit: 16_384,
    response: Type.Object({ email: Type.String() }),
    errors: ['password-reset-invalid', 'auth-rate-limited'],
  }),
  resetPassword: endpoint({
    id: 'app.password-reset.use',
    origin: 'own',
    method: 'POST',
    path: '/_app/password-reset/use',
    summary: 'Set a new password with a reset link, and sign in',
    access: { anonymous: true, reason: 'The token of the reset link in the body is the credential.' },
    body: bodyOf({ token: linkToken, password }),
    bodyLimit: 16_384,
    response: SessionRecord,
    status: 201,
    errors: [
      'password-reset-invalid',
      'password-weak',
      'credentials-invalid',
      'auth-rate-limited',
      'cross-site-request',
    ],
  }),
  keys: endpoint({
    id: 'app.api-keys.list',
    origin: 'own',
    method: 'GET',
    path: keysBase,
    summary: 'List the API keys of an organization, newest first',
    access: inBrowser('api_keys:view'),
    params: Type.Object(tenantParams),
    query: Type.Object({ ...stableQuery, q: Type.Optional(Type.String()) }),
    response: stablePageShape(ApiKeyRecord),
    errors: [],
  }),
  createKey: endpoint({
    id: 'app.api-keys.create',
    origin: 'own',
    method: 'POST',
    path: keysBase,
    summary: 'Create an API key; it is shown once',
    access: inBrowser('api_keys:create'),
    params: Type.Object(tenantParams),
    body: bodyOf({
      name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
      description: Type.Optional(Type.String({ maxLength: 1000 })),
      // An unknown scope is 400 here, so the schema takes any words.
      scopes: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: 10 })),
      expires_in_days: Type.Optional(expiresInDays),
    }),
    response: ApiKeyRecord,
    status: 201,
    errors: ['csrf-token-invalid', 'scopes-invalid', 'quota-exceeded'],
  }),
  updateKey: endpoint({
    id: 'app.api-keys.update',
    origin: 'own',
    method: 'PATCH',
    path: `${keysBase}/{key_id}`,
    summary: 'Enable, disable, rename or describe an API key',
    access: inBrowser('api_keys:edit'),
    params: Type.Object(keyParams),
    body: bodyOf({
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })),
      description: Type.Optional(Type.String({ maxLength: 1000 })),
      enabled: Type.Optional(Type.Boolean()),
    }),
    response: ApiKeyRecord,
    errors: ['csrf-token-invalid', 'api-key-not-found', 'api-key-expired'],
  }),
  rotateKey: endpoint({
    id: 'app.api-keys.rotate',
    origin: 'own',
    method: 'POST',
    path: `${keysBase}/{key_id}/rotate`,
    summary: 'Create a replacement with the same scopes; the old key expires after the grace period',
    access: inBrowser('api_keys:create'),
    params: Type.Object(keyParams),
    body: bodyOf({ grace: oneOf(rotationGraces), expires_in_days: Type.Optional(expiresInDays) }),
    response: ApiKeyRecord,
    status: 201,
    errors: ['csrf-token-invalid', 'api-key-not-found', 'api-key-expired'],
  }),
  deleteKey: endpoint({
    id: 'app.api-keys.delete',
    origin: 'own',
    method: 'DELETE',
    path: `${keysBase}/{key_id}`,
    summary: 'Delete an API key; requests with it answer 401 from now on',
    access: inBrowser('api_keys:delete'),
    params: Type.Object(keyParams),
    response: Type.Null(),
    status: 204,
    errors: ['csrf-token-invalid', 'api-key-not-found'],
  }),
} as const
