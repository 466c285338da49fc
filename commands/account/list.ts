import { linkedAccountsApi } from '../../src/api/linked-accounts.ts'
import { command } from '../../cli/declare.ts'
import { renderAccounts } from '../../cli/account/shared.ts'

export default command({
  summary: 'List your own linked accounts and those of the organization, newest first',
  examples: ['svc account list'],
  arguments: [],
  options: {},
  dataSchema: linkedAccountsApi.list.response,
  async run({ connection }) {
    const { call, tenant } = await connection()
    const found = await call(linkedAccountsApi.list, { params: { tenant_slug: await tenant() }, query: { limit: 200 } })
    return { data: found, text: () => renderAccounts(found.linked_accounts) }
  },
})
