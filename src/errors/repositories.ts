import { entry } from './entry.ts'

/** Linked accounts, repositories and what is bound to them. */
export const repositories = {
  'linked-account-not-found': entry({
    status: 404,
    exit: 2,
    message: 'There is no linked account {account}.',
    hint: 'List the linked accounts with "svc account list". Personal accounts of other members are not shown.',
    browserHint: 'Open the list of linked accounts and choose one.',
  }),
  'linked-account-exists': entry({
    status: 409,
    exit: 2,
    message: 'The account {login} of {host} is linked already.',
    hint: 'Replace its token with "svc account token" (PUT …/linked-accounts/{id}/token).',
    browserHint: 'Open the account and replace its token.',
  }),
  'account-token-refused': entry({
    status: 422,
    exit: 2,
    message: '{host} refused the token: {reason}.[ Missing scopes: {missing_scopes:list}.]',
    hint: 'Create a token that can read repositories: "repo" or contents:read on GitHub, read_repository and read_api on GitLab, read:repository on Bitbucket.',
    context: {} as { missing_scopes: readonly string[] },
  }),
  'account-other-login': entry({
    status: 422,
    exit: 2,
    message: 'The token belongs to {found} and not to {login}, whose account is linked.',
    hint: 'Give a token of the same account, or link the other account separately.',
  }),
  'provider-unsupported': entry({
    status: 422,
    exit: 2,
    message: 'The host {host} is invalid: {reason}.',
    hint: 'Give HOST or HOST:PORT. Which provider a self-managed host runs is set with SVC_GIT_HOSTS, for example SVC_GIT_HOSTS=git.example.com=gitlab.',
    browserHint: 'Give HOST or HOST:PORT of the provider. An operator can map hosts to providers with SVC_GIT_HOSTS.',
  }),
  'provider-failed': entry({
    status: 502,
    exit: 1,
    message: '{host} did not answer the request: {reason}.',
    hint: 'Try again later; check that the host is right and reachable from the service.',
  }),
} as const
