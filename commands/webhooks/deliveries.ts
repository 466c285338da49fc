import { deliveryStatuses, webhooksApi } from '../../src/api/webhooks.ts'
import { webhookEventTypes } from '../../src/api/webhook-events.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'
import { subscriptionArgument } from '../../cli/webhooks/shared.ts'

export default command({
  summary: 'List the deliveries of a subscription, newest first',
  examples: ['svc webhooks deliveries 01a1fdb6-5607-74ce-8102-e0af632fd4cf --status dead_letter'],
  arguments: [subscriptionArgument],
  options: {
    status: { type: 'string', placeholder: 'STATUS', choices: deliveryStatuses, summary: 'only those of this status' },
    type: { type: 'string', placeholder: 'TYPE', choices: webhookEventTypes, summary: 'only events of this type' },
    since: { type: 'string', placeholder: 'TIME', summary: 'only events from this instant on (ISO 8601)' },
    limit: { type: 'integer', placeholder: 'N', default: 50, min: 1, max: 200, summary: 'maximum number' },
    offset: { type: 'integer', placeholder: 'N', default: 0, min: 0, summary: 'number of rows to skip' },
  },
  dataSchema: webhooksApi.deliveries.response.properties.deliveries,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const { status, type, since, limit, offset } = options
    const query = {
      limit,
      offset,
      ...(status === undefined ? {} : { status }),
      ...(type === undefined ? {} : { type }),
      ...(since === undefined ? {} : { since }),
    }
    const params = { tenant_slug: await tenant(), subscription_id: args.id }
    const { deliveries, total } = await call(webhooksApi.deliveries, { params, query })
    const rows = deliveries.map((it) => [it.id, it.eventType, it.status, String(it.attemptCount), it.lastError ?? ''])
    return {
      data: deliveries,
      summary: { total },
      text: () =>
        rows.length === 0 ? 'No deliveries.\n' : renderTable(['ID', 'EVENT', 'STATUS', 'ATTEMPTS', 'ERROR'], rows),
    }
  },
})
