import { gitProviders, linkedAccountsApi } from '../../src/api/linked-accounts.ts'
import { command } from '../../cli/declare.ts'
import { readToken, renderAccount, tokenOption } from '../../cli/account/shared.ts'

export default command({
  summary: 'Link an account by a token',
  description:
    'The token is read from SVC_GIT_TOKEN or standard input and stored encrypted, after the provider said who it belongs to. It needs to read repositories: "repo" or contents:read on GitHub, read_repository and read_api on GitLab, read:repository on Bitbucket.',
  examples: [
    'pass show github | svc account link github --token-stdin',
    'svc account link gitlab --host git.example.com --organization',
  ],
  arguments: [{ name: 'provider', required: true, summary: 'github, gitlab or bitbucket', choices: gitProviders }],
  options: {
    ...tokenOption,
    host: { type: 'string', placeholder: 'HOST', summary: 'host of a self-managed provider: HOST or HOST:PORT' },
    organization: { type: 'boolean', summary: 'link it for all members, not for yourself only' },
  },
  dataSchema: linkedAccountsApi.create.response,
  async run(invocation) {
    const { args, options, connection } = invocation
    const token = await readToken(invocation, options['token-stdin'])
    const { call, tenant } = await connection()
    const account = await call(linkedAccountsApi.create, {
      params: { tenant_slug: await tenant() },
      body: {
        provider: gitProviders.find((one) => one === args.provider) ?? 'github',
        host: options.host ?? null,
        token,
        email: options.email ?? null,
        owner: options.organization ? 'tenant' : 'user',
      },
    })
    return { data: account, text: renderAccount(account) }
  },
})
