import { linkedAccountsApi } from '../../src/api/linked-accounts.ts'
import { command } from '../../cli/declare.ts'
import { accountArgument, renderAccount } from '../../cli/account/shared.ts'

export default command({
  summary: 'Ask the provider now whether it accepts the stored token',
  examples: ['svc account verify 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
  arguments: [accountArgument],
  options: {},
  dataSchema: linkedAccountsApi.verify.response,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), linked_account_id: args.id }
    const account = await call(linkedAccountsApi.verify, { params })
    return { data: account, text: renderAccount(account) }
  },
})
