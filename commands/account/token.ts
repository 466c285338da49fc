import { linkedAccountsApi } from '../../src/api/linked-accounts.ts'
import { command } from '../../cli/declare.ts'
import { accountArgument, readToken, renderAccount, tokenOption } from '../../cli/account/shared.ts'

export default command({
  summary: 'Replace the token of a linked account; what uses the account continues to work',
  description: 'The token is read from SVC_GIT_TOKEN or standard input, and must be of the same account.',
  examples: ['pass show github | svc account token 01a1fdb6-5607-74ce-8102-e0af632fd4cf --token-stdin'],
  arguments: [accountArgument],
  options: tokenOption,
  dataSchema: linkedAccountsApi.replaceToken.response,
  async run(invocation) {
    const { args, options, connection } = invocation
    const token = await readToken(invocation, options['token-stdin'])
    const { call, tenant } = await connection()
    const account = await call(linkedAccountsApi.replaceToken, {
      params: { tenant_slug: await tenant(), linked_account_id: args.id },
      body: { token, ...(options.email === undefined ? {} : { email: options.email }) },
    })
    return { data: account, text: renderAccount(account) }
  },
})
