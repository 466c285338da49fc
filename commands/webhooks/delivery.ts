import { webhooksApi } from '../../src/api/webhooks.ts'
import { command } from '../../cli/declare.ts'
import { deliveryArgument, renderDelivery } from '../../cli/webhooks/shared.ts'

export default command({
  summary: 'Show a delivery with its attempts, or send it again',
  examples: ['svc webhooks delivery 01a1fdb6-5607-74ce-8102-e0af632fd4cf --redeliver'],
  arguments: [deliveryArgument],
  options: { redeliver: { type: 'boolean', summary: 'send it again with the same id, once it has ended' } },
  dataSchema: webhooksApi.delivery.response,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), event_id: args.id }
    const operation = options.redeliver ? webhooksApi.redeliver : webhooksApi.delivery
    const delivery = await call(operation, { params })
    return { data: delivery, text: renderDelivery(delivery) }
  },
})
