import { entry } from './entry.ts'

/** The GitHub App of the service. */
export const gitApps = {
  'git-app-missing': entry({
    status: 409,
    exit: 2,
    message: 'The service has no GitHub App at {host}.',
    hint: 'The operator can create one in the application. Until then, link the account with a token: "svc account create".',
    browserHint: 'Link the account with a token, or ask the operator to create a GitHub App.',
  }),
  'git-app-exists': entry({
    status: 409,
    exit: 2,
    message: 'The service already has a GitHub App at {host}.',
    hint: 'Install that App for further accounts, or remove it first.',
  }),
  'git-app-in-use': entry({
    status: 409,
    exit: 2,
    message: 'The GitHub App of {host} is used by {accounts:number} linked accounts.',
    hint: 'Remove those linked accounts first; they belong to organizations of this service.',
  }),
  'git-app-installation-refused': entry({
    status: 403,
    exit: 2,
    message:
      'You cannot link this installation of the GitHub App at {host}: it can read repositories that you cannot read there.',
    hint: 'Ask someone who can read all repositories of the installation to link it, or install the App for your own account.',
  }),
  'account-without-token': entry({
    status: 409,
    exit: 2,
    message: 'The linked account {login} of {host} is an installation of a GitHub App, which has no token to replace.',
    hint: 'Its tokens are created when they are needed. To use a token instead, link another account with "svc account create".',
    browserHint: 'Its tokens are created when they are needed. To use a token instead, link another account.',
  }),
}
