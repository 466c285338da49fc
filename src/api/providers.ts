import { Type, type Static } from '@sinclair/typebox'
import { hostField, returnField } from './account-authorization.ts'
import { endpoint } from './endpoint.ts'
import { gitProviders } from './linked-accounts.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { operator } from './kit.ts'

const base = '/_app/providers'
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
    app: orNull(
      Type.Object({
        app_id: Type.String(),
        slug: Type.String(),
        name: Type.String(),
        html_url: Type.String(),
        owner: orNull(Type.String({ description: 'The account at the provider that owns the App.' })),
        webhook: Type.Boolean({ description: 'Whether it reports pushes to the service.' }),
        key_fingerprint: Type.String({ description: 'Of its private key.' }),
        last_delivery_at: orNull(dateTime()),
        created_at: dateTime(),
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
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'List the git providers with their OAuth clients and GitHub Apps',
    access: operator,
    response: Type.Object({
      callback_url: Type.String({ description: 'The redirect address to register at a provider.' }),
      providers: Type.Array(GitProviderRecord),
    }),
    errors: [],
  }),
  setClient: endpoint({
    id: 'providers.set-oauth',
    origin: 'own',
    method: 'PUT',
    path: `${base}/{provider}/oauth`,
    summary: 'Store the OAuth client that was registered at a provider',
    access: operator,
    params: Type.Object({ provider: oneOf(gitProviders) }),
    body: titled('GitProviderOAuth', bodyOf({ host: hostField, ...clientBody })),
    bodyLimit: 16_384,
    response: GitProviderRecord,
    errors: ['csrf-token-invalid', 'provider-unsupported', 'secret-key-missing', 'secret-key-unusable'],
  }),
  removeClient: endpoint({
    id: 'providers.delete-oauth',
    origin: 'own',
    method: 'DELETE',
    path: `${base}/{provider}/oauth`,
    summary: 'Remove the OAuth client of a provider; accounts that it linked cannot be renewed any more',
    access: operator,
    params: Type.Object({ provider: oneOf(gitProviders) }),
    query: hostQuery,
    status: 204,
    response: Type.Null(),
    errors: ['csrf-token-invalid', 'provider-unsupported', 'provider-client-missing'],
  }),
  beginManifest: endpoint({
    id: 'providers.begin-app',
    origin: 'own',
    method: 'POST',
    path: `${base}/github/manifest`,
    summary: 'Start creating a GitHub App from a manifest',
    description:
      'Open the address in the same browser within 10 minutes: it posts the manifest to GitHub. The browser returns to `return_to` with `git_app` (its slug) or with `error` (a code) in the query. The App may read contents and metadata; it reports pushes where GitHub can reach the service.',
    access: operator,
    body: titled(
      'GitHubAppManifest',
      bodyOf({
        host: hostField,
        organization: Type.Optional(
          orNull(
            Type.String({
              minLength: 1,
              maxLength: 100,
              pattern: '^[A-Za-z0-9_-]+$',
              description: 'The organization of GitHub that will own the App; your own account when omitted.',
            }),
          ),
        ),
        name: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 34 }))),
        reports: Type.Optional(
          Type.Boolean({
            description:
              'It may also write commit statuses and comments on pull requests, for reports on pull requests.',
          }),
        ),
        return_to: returnField,
      }),
    ),
    bodyLimit: 16_384,
    response: titled(
      'GitHubAppManifestPage',
      Type.Object({ url: Type.String({ description: 'Path of this origin.' }), expires_at: dateTime() }),
    ),
    errors: [
      'csrf-token-invalid',
      'provider-unsupported',
      'git-app-exists',
      'return-to-invalid',
      'public-address-missing',
    ],
  }),
  manifestPage: endpoint({
    id: 'providers.app-page',
    origin: 'own',
    method: 'GET',
    path: `${base}/github/manifest`,
    summary: 'Get the page that posts the manifest of a GitHub App to GitHub',
    access: { anonymous: true, reason: 'The state and the browser session that began are the credential.' },
    query: Type.Object({ state: Type.Optional(Type.String({ maxLength: 100 })) }),
    response: Type.String(),
    produces: ['text/html'],
    errors: ['account-authorization-expired'],
  }),
  removeApp: endpoint({
    id: 'providers.delete-app',
    origin: 'own',
    method: 'DELETE',
    path: `${base}/github/app`,
    summary: 'Remove the GitHub App of a host from this service; it stays at GitHub until it is deleted there',
    access: operator,
    query: hostQuery,
    status: 204,
    response: Type.Null(),
    errors: ['csrf-token-invalid', 'provider-unsupported', 'git-app-missing', 'git-app-in-use'],
  }),
} as const
