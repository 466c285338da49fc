/** What a person needs to create a token: the page of the provider, and the scopes to choose there. */
import type { GitProvider } from '../../../../src/api/linked-accounts.ts'
import { hintOf } from '../../parts/error-hint.ts'

export const providerNames: Readonly<Record<GitProvider, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  bitbucket: 'Bitbucket',
}

/** Where the provider itself runs. */
export const clouds: Readonly<Record<GitProvider, string>> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
}

/** A kind of token of a provider. */
export interface TokenKind {
  readonly id: string
  readonly name: string
  /** The page where one is created. */
  readonly url: string
  /** What to choose there, in the words of the provider. */
  readonly scopes: readonly string[]
  /** What else to choose so that the service can create webhooks. */
  readonly hookScopes: readonly string[]
  /** Whether the address of the account has to be given too. */
  readonly needsEmail: boolean
}

const plain = { needsEmail: false } as const

const kindsOf = (origin: string, isCloud: boolean): Readonly<Record<GitProvider, readonly TokenKind[]>> => ({
  github: [
    {
      ...plain,
      id: 'fine-grained',
      name: 'Fine-grained token',
      url: `${origin}/settings/personal-access-tokens/new?name=svc&contents=read&metadata=read`,
      scopes: ['Contents: Read-only', 'Metadata: Read-only'],
      hookScopes: ['Webhooks: Read and write'],
    },
    {
      ...plain,
      id: 'classic',
      name: 'Classic token',
      url: `${origin}/settings/tokens/new?description=svc&scopes=repo`,
      scopes: ['repo'],
      hookScopes: ['admin:repo_hook'],
    },
  ],
  gitlab: [
    {
      ...plain,
      id: 'token',
      name: 'Access token',
      url: `${origin}/-/user_settings/personal_access_tokens?name=svc&scopes=read_repository,read_api`,
      scopes: ['read_repository', 'read_api'],
      hookScopes: ['api'],
    },
  ],
  bitbucket: isCloud
    ? [
        {
          id: 'api-token',
          name: 'API token',
          url: 'https://id.atlassian.com/manage-profile/security/api-tokens',
          scopes: ['read:repository:bitbucket', 'read:user:bitbucket'],
          hookScopes: ['write:webhook:bitbucket'],
          needsEmail: true,
        },
        {
          ...plain,
          id: 'access-token',
          name: 'Access token of a workspace or repository',
          url: 'https://support.atlassian.com/bitbucket-cloud/docs/workspace-access-tokens/',
          scopes: ['Repositories: Read'],
          hookScopes: ['Webhooks: Read and write'],
        },
      ]
    : [
        {
          ...plain,
          id: 'http',
          name: 'HTTP access token',
          url: `${origin}/plugins/servlet/access-tokens/manage`,
          scopes: ['Repository permissions: Repository read'],
          hookScopes: ['Repository permissions: Repository admin'],
        },
      ],
})

/** The kinds of tokens that a host has; `host` is empty for the cloud of the provider. */
export const tokenKinds = (provider: GitProvider, host: string): readonly TokenKind[] => {
  const name = host.trim() === '' ? clouds[provider] : host.trim()
  return kindsOf(`https://${name}`, name === clouds[provider])[provider]
}

/** Where an OAuth client is registered at a provider. */
export const clientPage = ({ provider, host }: { readonly provider: GitProvider; readonly host: string }): string => {
  if (provider === 'github') return `https://${host}/settings/applications/new`
  if (provider === 'gitlab') return `https://${host}/-/user_settings/applications`
  return host === clouds.bitbucket
    ? 'https://support.atlassian.com/bitbucket-cloud/docs/use-oauth-on-bitbucket-cloud/'
    : `https://${host}/plugins/servlet/applinks/listApplicationLinks`
}

/** What to choose there, in the words of the provider. */
export const clientScopes: Readonly<Record<GitProvider, string>> = {
  github: 'Enter the redirect address as the authorization callback URL. No scopes are chosen there.',
  gitlab: 'Choose the scopes read_repository and read_api, and leave “Confidential” on.',
  bitbucket: 'Choose the permissions Repositories: Read and Account: Read.',
}

const failures: Readonly<Record<string, string>> = {
  'account-authorization-expired': 'The authorization took longer than 10 minutes, or was started in another session.',
  'account-authorization-refused': 'The provider did not authorize the service.',
  'account-token-refused': 'The authorization does not allow reading repositories.',
  'linked-account-exists': 'This account is linked already.',
  'permission-denied': 'Your role does not allow it.',
  'provider-failed': 'The provider did not answer.',
  'git-app-exists': 'The service has a GitHub App for this host already.',
  'git-app-installation-refused': 'You cannot read every repository that the App is installed for.',
}

/** Why a visit to a provider ended without a result; null for a code that is not known. */
export const failureOf = (code: string): string | null => failures[code] ?? hintOf(code)
