import { webhooksApi } from '../../src/api/webhooks.ts'
import { command } from '../../cli/declare.ts'
import { renderDelivery, subscriptionArgument } from '../../cli/webhooks/shared.ts'

const waitMs = 20_000

export default command({
  summary: 'Send a test event to a subscription and wait for its first attempt',
  description:
    'A server must be running on the workspace: it makes the attempt. Exits with 1 if the receiver did not accept it.',
  examples: ['svc webhooks test 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
  arguments: [subscriptionArgument],
  options: {},
  dataSchema: webhooksApi.test.response,
  async run({ args, connection, signal }) {
    const { call, tenant } = await connection()
    const tenant_slug = await tenant()
    let delivery = await call(webhooksApi.test, { params: { tenant_slug, subscription_id: args.id } })
    const deadline = performance.now() + waitMs
    while (delivery.attempts.length === 0 && !signal.aborted && performance.now() < deadline) {
      await Bun.sleep(200)
      delivery = await call(webhooksApi.delivery, { params: { tenant_slug, event_id: delivery.id } })
    }
    return { data: delivery, text: renderDelivery(delivery), exitCode: delivery.status === 'delivered' ? 0 : 1 }
  },
})
