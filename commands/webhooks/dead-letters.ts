import { webhooksApi } from '../../src/api/webhooks.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'List the deliveries that were given up',
  examples: ['svc webhooks dead-letters'],
  arguments: [],
  options: {
    subscription: { type: 'string', placeholder: 'ID', summary: 'only those of this subscription' },
    limit: { type: 'integer', placeholder: 'N', default: 50, min: 1, max: 200, summary: 'maximum number' },
    offset: { type: 'integer', placeholder: 'N', default: 0, min: 0, summary: 'number of rows to skip' },
  },
  dataSchema: webhooksApi.deadLetters.response,
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const { subscription, limit, offset } = options
    const query = { limit, offset, ...(subscription === undefined ? {} : { subscription_id: subscription }) }
    const letters = await call(webhooksApi.deadLetters, { params: { tenant_slug: await tenant() }, query })
    const rows = letters.map((it) => [it.id, it.eventType, String(it.attemptCount), it.lastError ?? ''])
    return {
      data: letters,
      text: () => (rows.length === 0 ? 'No dead letters.\n' : renderTable(['ID', 'EVENT', 'ATTEMPTS', 'ERROR'], rows)),
    }
  },
})
