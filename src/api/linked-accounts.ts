import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { stableQuery } from './shapes.ts'
import { countedStablePage, idParam, may, person, tenantParams, tenantPath } from './kit.ts'

/** The providers that repositories are hosted by, on their own servers or elsewhere. */
export const gitProviders = ['github', 'gitlab', 'bitbucket'] as const
export type GitProvider = (typeof gitProviders)[number]

export const accountStatuses = ['active', 'expiring', 'expired', 'revoked', 'error'] as const

const base = `${tenantPath}/linked-accounts`
const one = `${base}/{linked_account_id}`
const oneParams = Type.Object({ ...tenantParams, linked_account_id: idParam })

const token = Type.String({ minLength: 1, maxLength: 4096, description: 'Write-only; never answered.' })

const LinkedAccount = titled(
  'LinkedAccount',
  Type.Object({
    id: Type.String(),
    provider: oneOf(gitProviders),
    host: Type.String({ description: 'HOST or HOST:PORT.' }),
    kind: oneOf(['app', 'oauth', 'token']),
    owner: Type.Object({ type: oneOf(['user', 'tenant']), id: Type.String() }),
    login: Type.String({ description: 'Name of the account at the provider.' }),
    scopes: Type.Array(Type.String(), { description: 'As the provider lists them; empty where it lists none.' }),
    status: oneOf(
      accountStatuses,
      'expiring: within 14 days. revoked: the provider does not accept the token any more. error: the last verification failed for another reason.',
    ),
    expires_at: orNull(dateTime('Null: the token does not expire, or the provider does not say when.')),
    last_verified_at: orNull(dateTime()),
    last_error: orNull(Type.String()),
    used_by: Type.Object({ repositories: Type.Integer(), bindings: Type.Integer() }),
    created_at: dateTime(),
  }),
)
export type LinkedAccount = Static<typeof LinkedAccount>

const AccountRepository = titled(
  'LinkedAccountRepository',
  Type.Object({
    full_name: Type.String({ description: 'OWNER/NAME in lower case.' }),
    clone_url: Type.String(),
    web_url: orNull(Type.String()),
    default_branch: orNull(Type.String()),
    private: Type.Boolean(),
  }),
)
export type AccountRepository = Static<typeof AccountRepository>

const secretErrors = ['secret-key-missing', 'secret-key-unusable'] as const
const providerErrors = ['provider-failed', 'egress-denied', 'fetch-failed'] as const

/**
 * Accounts of git providers, whose stored tokens authorize reading repositories. A token is verified before it
 * is kept, and is never answered.
 */
export const linkedAccountsApi = {
  list: endpoint({
    id: 'linked-accounts.list',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'List your own linked accounts and those of the organization, newest first',
    description: 'A key sees those of the organization.',
    access: may('projects:view'),
    params: Type.Object(tenantParams),
    query: Type.Object(stableQuery),
    response: Type.Object({
      linked_accounts: Type.Array(LinkedAccount),
      ...countedStablePage,
    }),
    errors: [],
  }),
  create: endpoint({
    id: 'linked-accounts.create',
    origin: 'own',
    method: 'POST',
    path: base,
    summary: 'Link an account by a token',
    description:
      'The provider is asked who the token belongs to before anything is stored. A personal account (`owner: user`, the default) serves only while its owner is an active member; one of the organization needs repositories:delete.',
    access: person('repositories:edit'),
    params: Type.Object(tenantParams),
    body: titled(
      'LinkedAccountCreate',
      bodyOf({
        provider: oneOf(gitProviders),
        host: Type.Optional(
          orNull(
            Type.String({
              minLength: 1,
              maxLength: 300,
              description: 'HOST or HOST:PORT; the cloud of the provider when omitted.',
            }),
          ),
        ),
        token,
        email: Type.Optional(
          orNull(
            Type.String({
              minLength: 3,
              maxLength: 320,
              description: 'Address of the account: API tokens of Bitbucket need it.',
            }),
          ),
        ),
        owner: Type.Optional(oneOf(['user', 'tenant'])),
      }),
    ),
    response: LinkedAccount,
    status: 201,
    errors: [
      'provider-unsupported',
      'account-token-refused',
      'linked-account-exists',
      'permission-denied',
      ...providerErrors,
      ...secretErrors,
    ],
  }),
  get: endpoint({
    id: 'linked-accounts.get',
    origin: 'own',
    method: 'GET',
    path: one,
    summary: 'Get a linked account',
    access: may('projects:view'),
    params: oneParams,
    response: LinkedAccount,
    errors: ['linked-account-not-found'],
  }),
  replaceToken: endpoint({
    id: 'linked-accounts.replace-token',
    origin: 'own',
    method: 'PUT',
    path: `${one}/token`,
    summary: 'Replace the token of a linked account; what uses the account continues to work',
    access: person('repositories:edit'),
    params: oneParams,
    body: titled(
      'LinkedAccountToken',
      bodyOf({ token, email: Type.Optional(orNull(Type.String({ minLength: 3, maxLength: 320 }))) }),
    ),
    response: LinkedAccount,
    errors: [
      'linked-account-not-found',
      'account-token-refused',
      'account-other-login',
      'permission-denied',
      ...providerErrors,
      ...secretErrors,
    ],
  }),
  verify: endpoint({
    id: 'linked-accounts.verify',
    origin: 'own',
    method: 'POST',
    path: `${one}/verify`,
    summary: 'Check whether the provider accepts the stored token',
    description: 'A refusal is the new status of the account, not an error. The service asks once a day.',
    access: person('repositories:edit'),
    params: oneParams,
    response: LinkedAccount,
    errors: ['linked-account-not-found', 'permission-denied', 'secret-key-unusable', 'secret-unreadable'],
  }),
  remove: endpoint({
    id: 'linked-accounts.delete',
    origin: 'own',
    method: 'DELETE',
    path: one,
    summary: 'Remove a linked account with its token',
    access: person('repositories:edit'),
    params: oneParams,
    status: 204,
    response: Type.Null(),
    errors: ['linked-account-not-found', 'account-in-use', 'permission-denied'],
  }),
  repositories: endpoint({
    id: 'linked-accounts.repositories',
    origin: 'own',
    method: 'GET',
    path: `${one}/repositories`,
    summary: 'List the repositories that a linked account can read, as its provider lists them',
    access: may('projects:view'),
    params: oneParams,
    query: Type.Object({
      q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the full name.' })),
      cursor: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$', description: '`next_cursor` of the page before.' })),
    }),
    response: Type.Object({
      repositories: Type.Array(AccountRepository),
      next_cursor: orNull(Type.String()),
    }),
    errors: [
      'linked-account-not-found',
      'account-token-refused',
      'secret-key-unusable',
      'secret-unreadable',
      ...providerErrors,
    ],
  }),
} as const
