import { webhooksApi } from '../../src/api/webhooks.ts'
import { command } from '../../cli/declare.ts'
import { renderSubscriptions } from '../../cli/webhooks/shared.ts'

export default command({
  summary: 'List the webhook subscriptions, newest first',
  examples: ['svc webhooks list'],
  arguments: [],
  options: {},
  dataSchema: webhooksApi.list.response,
  async run({ connection }) {
    const { call, tenant } = await connection()
    const subscriptions = await call(webhooksApi.list, { params: { tenant_slug: await tenant() } })
    return { data: subscriptions, text: () => renderSubscriptions(subscriptions) }
  },
})
