import { repositoryHooksApi } from '../../../src/api/repository-hooks.ts'
import { command } from '../../../cli/declare.ts'
import { repositoryArgument } from '../../../cli/repository/shared.ts'
import { renderHook } from '../../../cli/repository/webhook.ts'
import { renderTable, shortTime } from '../../../cli/table.ts'

export default command({
  summary: 'Show the webhook of a repository with what arrived last, and why it was refused',
  examples: ['svc repository webhook show 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
  arguments: [repositoryArgument],
  options: {},
  dataSchema: repositoryHooksApi.status.response,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), repository_id: args.id }
    const found = await call(repositoryHooksApi.status, { params })
    if (found.subscription === null) return { data: found, text: 'No webhook.\n' }
    const rows = found.events.map((it) => [
      shortTime(it.at),
      it.event,
      it.outcome,
      it.ref ?? '-',
      it.delivery_id ?? '-',
    ])
    const table = rows.length === 0 ? '' : `\n${renderTable(['TIME', 'EVENT', 'OUTCOME', 'REF', 'DELIVERY'], rows)}`
    return { data: found, text: renderHook(found.subscription) + table }
  },
})
