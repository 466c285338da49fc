import { webhooksApi } from '../../src/api/webhooks.ts'
import { command } from '../../cli/declare.ts'
import { renderSubscription, subscriptionArgument } from '../../cli/webhooks/shared.ts'

export default command({
  summary: 'Show a webhook subscription',
  examples: ['svc webhooks show 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
  arguments: [subscriptionArgument],
  options: {},
  dataSchema: webhooksApi.get.response,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), subscription_id: args.id }
    const subscription = await call(webhooksApi.get, { params })
    return { data: subscription, text: renderSubscription(subscription) }
  },
})
