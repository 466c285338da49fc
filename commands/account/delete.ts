import { linkedAccountsApi } from '../../src/api/linked-accounts.ts'
import { command } from '../../cli/declare.ts'
import { accountArgument } from '../../cli/account/shared.ts'

export default command({
  summary: 'Remove a linked account with its token',
  examples: ['svc account delete 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
  arguments: [accountArgument],
  options: {},
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    await call(linkedAccountsApi.remove, { params: { tenant_slug: await tenant(), linked_account_id: args.id } })
    return { data: null, text: `Deleted ${args.id}\n` }
  },
})
