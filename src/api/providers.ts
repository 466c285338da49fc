import { Type, type Static } from '@sinclair/typebox'
import { hostField } from './account-authorization.ts'
import { endpoint } from './endpoint.ts'
import { gitProviders } from './linked-accounts.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from './shapes.ts'

const base = '/_app/providers'
const person = { credentials: ['user'], permission: null } as const
const operatorErrors = ['operator-required', 'browser-session-required', 'csrf-token-invalid'] as const
const hostQuery = Type.Object({
  host: Type.Optional(Type.String({ maxLength: 300, description: 'The cloud of the provider when omitted.' })),
})

export const GitProviderRecord = titled(
  'GitProvider',
  Type.Object({
    provider: oneOf(gitProviders),
    host: Type.String(),
    oauth: orNull(
      Type.Object({
        client_id: Type.String(),
        secret_fingerprint: Type.String({ description: 'Equal for equal secrets.' }),
        scopes: orNull(Type.String({ description: 'Null: what reading repositories needs.' })),
        updated_at: dateTime(),
      }),
    ),
  }),
)
export type GitProviderRecord = Static<typeof GitProviderRecord>

const clientBody = {
  client_id: Type.String({ minLength: 1, maxLength: 200 }),
  client_secret: Type.String({ minLength: 1, maxLength: 1000, description: 'Write-only; never answered.' }),
  scopes: Type.Optional(
    orNull(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'Separated by spaces, in place of what reading repositories needs.',
      }),
    ),
  ),
}

/** What the operator registers at git providers: an owner of the organization "local", in a browser. */
export const providersApi = {
  list: endpoint({
    id: 'providers.list',
    method: 'GET',
    path: base,
    summary: 'List the git providers with what is registered at them',
    access: person,
    response: Type.Object({
      callback_url: Type.String({ description: 'The redirect address to register at a provider.' }),
      providers: Type.Array(GitProviderRecord),
    }),
    errors: ['operator-required', 'browser-session-required'],
  }),
  setClient: endpoint({
    id: 'providers.set-oauth',
    method: 'PUT',
    path: `${base}/{provider}/oauth`,
    summary: 'Store the OAuth client that was registered at a provider',
    access: person,
    params: Type.Object({ provider: oneOf(gitProviders) }),
    body: titled('GitProviderOAuth', bodyOf({ host: hostField, ...clientBody })),
    bodyLimit: 16_384,
    response: GitProviderRecord,
    errors: [...operatorErrors, 'provider-unsupported', 'secret-key-missing', 'secret-key-unusable'],
  }),
  removeClient: endpoint({
    id: 'providers.delete-oauth',
    method: 'DELETE',
    path: `${base}/{provider}/oauth`,
    summary: 'Remove the OAuth client of a provider; accounts that it linked cannot be renewed any more',
    access: person,
    params: Type.Object({ provider: oneOf(gitProviders) }),
    query: hostQuery,
    status: 204,
    response: Type.Null(),
    errors: [...operatorErrors, 'provider-unsupported', 'provider-oauth-missing'],
  }),
} as const
