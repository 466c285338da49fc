import { webhooksApi } from '../../src/api/webhooks.ts'
import { restoreHint } from '../../cli/bin/shared.ts'
import { command } from '../../cli/declare.ts'
import { subscriptionArgument } from '../../cli/webhooks/shared.ts'

export default command({
  summary: 'Delete a webhook subscription with its deliveries',
  description:
    'You can restore the subscription with its signing secret for 30 days with "svc bin restore", but not its deliveries.',
  examples: ['svc webhooks delete 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
  arguments: [subscriptionArgument],
  options: {},
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    await call(webhooksApi.remove, { params: { tenant_slug: await tenant(), subscription_id: args.id } })
    return { data: null, text: `Deleted ${args.id}\n${restoreHint(args.id)}` }
  },
})
