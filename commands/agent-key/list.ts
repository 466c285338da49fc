import { AgentKeyRecord, agentKeysApi } from '../../src/api/agent-keys.ts'
import { command } from '../../cli/declare.ts'
import { moreOf, pageOptions, pageSummary } from '../../cli/paging.ts'
import { renderTable, shortTime } from '../../cli/table.ts'

export default command({
  summary: 'List the agent keys of the organization, newest first',
  examples: ['svc agent-key list', 'svc agent-key list --json'],
  arguments: [],
  options: pageOptions,
  dataSchema: { type: 'array', items: AgentKeyRecord },
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const query = { limit: options.limit, offset: options.offset }
    const page = await call(agentKeysApi.list, { params: { tenant_slug: await tenant() }, query })
    return {
      data: page.items,
      summary: pageSummary(page),
      text: () =>
        page.items.length === 0
          ? 'No agent keys. Make one: svc agent-key create LABEL --toolset catalog-read\n'
          : renderTable(
              ['ID', 'PREFIX', 'STATUS', 'TOOLSET', 'EXPIRES', 'LABEL'],
              page.items.map((it) => [it.id, it.prefix, it.status, it.toolset, shortTime(it.expires_at), it.label]),
            ) + moreOf(page),
    }
  },
})
