import { linkedAccountsApi } from '../../src/api/linked-accounts.ts'
import { accountArgument, ownerOf, readToken, renderAccount, tokenOption } from '../../cli/account/shared.ts'
import { group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'

export default group({
  summary: 'Link accounts of GitHub, GitLab and Bitbucket, whose tokens read repositories',
  commands: {
    list: derive(linkedAccountsApi.list, {
      examples: ['svc account list'],
      sends: { limit: 200 },
      rows: 'linked_accounts',
      empty: 'No linked accounts.\n',
      columns: {
        ID: (it) => it.id,
        HOST: (it) => it.host,
        LOGIN: (it) => it.login,
        OWNER: ownerOf,
        STATUS: (it) => it.status,
        EXPIRES: (it) => it.expires_at ?? '-',
      },
    }),
    show: derive(linkedAccountsApi.get, {
      summary: 'Show a linked account',
      examples: ['svc account show 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [accountArgument],
      text: renderAccount,
    }),
    create: derive(linkedAccountsApi.create, {
      description:
        'The token is read from SVC_GIT_TOKEN or standard input and stored encrypted, after the provider said who it belongs to. It needs to read repositories: "repo" or contents:read on GitHub, read_repository and read_api on GitLab, read:repository on Bitbucket.',
      examples: [
        'pass show github | svc account create github --token-stdin',
        'svc account create gitlab --host git.example.com --organization',
      ],
      arguments: [{ name: 'provider', summary: 'github, gitlab or bitbucket' }],
      options: {
        ...tokenOption,
        host: { summary: 'host of a self-managed provider: HOST or HOST:PORT' },
        organization: {
          type: 'boolean',
          summary: 'link it for all members, not for yourself only',
          field: 'owner',
          read: () => 'tenant',
        },
      },
      sends: { token: readToken, owner: 'user' },
      text: renderAccount,
    }),
    token: derive(linkedAccountsApi.replaceToken, {
      description: 'The token is read from SVC_GIT_TOKEN or standard input, and must be of the same account.',
      examples: ['pass show github | svc account token 01a1fdb6-5607-74ce-8102-e0af632fd4cf --token-stdin'],
      arguments: [accountArgument],
      options: tokenOption,
      sends: { token: readToken },
      text: renderAccount,
    }),
    verify: derive(linkedAccountsApi.verify, {
      examples: ['svc account verify 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [accountArgument],
      text: renderAccount,
    }),
    repositories: derive(linkedAccountsApi.repositories, {
      summary: 'List the repositories that a linked account can read',
      examples: ['svc account repositories 01a1fdb6-5607-74ce-8102-e0af632fd4cf --search specs'],
      arguments: [accountArgument],
      options: {
        search: { placeholder: 'TEXT', summary: 'part of the full name', field: 'q' },
        cursor: { summary: 'next_cursor of the previous page' },
      },
      rows: 'repositories',
      empty: 'No repositories.\n',
      columns: {
        REPOSITORY: (it) => it.full_name,
        BRANCH: (it) => it.default_branch ?? '-',
        VISIBILITY: (it) => (it.private ? 'private' : 'public'),
      },
      more: ({ next_cursor: cursor }) => (cursor === null ? '' : `More: --cursor ${cursor}\n`),
    }),
    delete: derive(linkedAccountsApi.remove, {
      examples: ['svc account delete 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [accountArgument],
      text: (_, { args }) => `Deleted ${args.id}\n`,
    }),
  },
})
