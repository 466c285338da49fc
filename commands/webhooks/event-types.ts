import { webhooksApi } from '../../src/api/webhooks.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'List the types of events that webhooks receive',
  examples: ['svc webhooks event-types'],
  arguments: [],
  options: {},
  dataSchema: webhooksApi.eventTypes.response.properties.event_types,
  async run({ connection }) {
    const { call, tenant } = await connection()
    const { event_types: types } = await call(webhooksApi.eventTypes, { params: { tenant_slug: await tenant() } })
    const rows = types.map(({ type, summary }) => [type, summary])
    return { data: types, text: () => renderTable(['TYPE', 'MEANING'], rows) }
  },
})
