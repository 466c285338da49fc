import { Type, type Static } from '@sinclair/typebox'
import { callerKinds, endpoint } from './endpoint.ts'
import { bodyOf, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { projectRoles, roles } from './permissions.ts'
import { person } from './kit.ts'

/** A person as others of the service see them. */
export const UserRecord = titled(
  'UserRecord',
  Type.Object({ id: Type.String(), email: Type.String(), name: Type.String() }),
)
export type UserRecord = Static<typeof UserRecord>

const email = Type.String({ minLength: 3, maxLength: 254 })
const password = Type.String({ minLength: 1, maxLength: 1024 })

/** What a sign-in with a password sends. */
export const signInBody = {
  email,
  password,
  tenant_slug: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Organization whose invitation created the account, for an email address with several accounts. Without it, the password is compared with at most three of them.',
    }),
  ),
}

/** What signing in gives: an access token of 15 minutes and a refresh token of 30 days, good once. */
export const TokenPair = titled(
  'TokenPair',
  Type.Object({
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds until the access token expires.' }),
    refresh_token: Type.String(),
    refresh_expires_in: Type.Integer({ description: 'Seconds until the refresh token expires.' }),
    user: UserRecord,
  }),
)
export type TokenPair = Static<typeof TokenPair>

/** Who calls, as the service understands the credentials. */
export const Identity = titled(
  'CallerIdentity',
  Type.Object({
    kind: oneOf(callerKinds),
    user: orNull(UserRecord),
    key: orNull(
      Type.Object({
        id: Type.String(),
        prefix: Type.String(),
        name: Type.String(),
        scopes: Type.Array(Type.String()),
        expires_at: orNull(Type.String()),
      }),
    ),
    memberships: Type.Array(
      Type.Object({
        tenant_id: Type.String(),
        slug: Type.String(),
        name: Type.String(),
        role: oneOf([...roles, 'member']),
        status: oneOf(['pending', 'active', 'suspended']),
        permissions: Type.Array(Type.String()),
        projects: Type.Optional(
          Type.Array(Type.Object({ id: Type.String(), slug: Type.String(), role: oneOf(projectRoles) }), {
            description:
              'Projects that the person has a role on, by themselves or through a team: the first 200 by slug. Absent where there is none.',
          }),
        ),
        second_factor_missing: Type.Optional(
          Type.Boolean({
            description: 'True where the organization requires a second factor and the person has none.',
          }),
        ),
      }),
    ),
  }),
)
export type Identity = Static<typeof Identity>

/** Signing in and out for programs; the application has its own way under /_app. */
export const authApi = {
  login: endpoint({
    id: 'auth.login',
    origin: 'own',
    method: 'POST',
    path: '/v1/auth/login',
    summary: 'Sign in with e-mail address and password',
    access: { anonymous: true, reason: 'It is how credentials are obtained; the sign-in budget limits it.' },
    body: bodyOf(signInBody),
    bodyLimit: 16_384,
    response: TokenPair,
    errors: ['credentials-invalid', 'auth-rate-limited'],
  }),
  refresh: endpoint({
    id: 'auth.refresh',
    origin: 'own',
    method: 'POST',
    path: '/v1/auth/refresh',
    summary: 'Exchange a refresh token for new tokens',
    description: 'A refresh token can be used once. Using it again revokes all tokens of that sign-in.',
    access: { anonymous: true, reason: 'The refresh token in the body is the credential.' },
    body: bodyOf({ refresh_token: Type.String({ minLength: 1, maxLength: 200 }) }),
    bodyLimit: 16_384,
    response: TokenPair,
    errors: ['credentials-invalid', 'auth-rate-limited'],
  }),
  logout: endpoint({
    id: 'auth.logout',
    origin: 'own',
    method: 'POST',
    path: '/v1/auth/logout',
    summary: 'Revoke all tokens of a sign-in',
    access: { anonymous: true, reason: 'The refresh token in the body is the credential.' },
    body: bodyOf({ refresh_token: Type.String({ minLength: 1, maxLength: 200 }) }),
    bodyLimit: 16_384,
    response: Type.Null(),
    status: 204,
    errors: [],
  }),
  password: endpoint({
    id: 'auth.password',
    origin: 'own',
    method: 'POST',
    path: '/v1/auth/password',
    summary: 'Change your own password',
    description: 'Ends every other session and revokes all tokens of the user.',
    access: person(null),
    body: bodyOf({ current_password: password, new_password: password }),
    bodyLimit: 16_384,
    response: Type.Null(),
    status: 204,
    errors: ['credentials-invalid', 'password-weak', 'auth-rate-limited'],
  }),
  me: endpoint({
    id: 'auth.me',
    origin: 'own',
    method: 'GET',
    path: '/v1/auth/me',
    summary: 'Get the owner and the permissions of these credentials',
    access: { credentials: callerKinds, permission: null },
    response: Identity,
    errors: [],
  }),
} as const
