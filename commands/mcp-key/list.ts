import { McpKeyRecord, mcpKeysApi } from '../../src/api/mcp-keys.ts'
import { command } from '../../cli/declare.ts'
import { moreOf, pageOptions, pageSummary } from '../../cli/paging.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'List the MCP keys of the organization and the tools each can call, newest first',
  examples: ['svc mcp-key list', 'svc mcp-key list --json'],
  arguments: [],
  options: pageOptions,
  dataSchema: { type: 'array', items: McpKeyRecord },
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const query = { limit: options.limit, offset: options.offset }
    const page = await call(mcpKeysApi.list, { params: { tenant_slug: await tenant() }, query })
    return {
      data: page.items,
      summary: pageSummary(page),
      text: () =>
        page.items.length === 0
          ? 'No MCP keys. Make one: svc mcp-key create LABEL\n'
          : renderTable(
              ['ID', 'PREFIX', 'MODE', 'TOOLS', 'LABEL'],
              page.items.map((it) => [it.id, it.prefix, it.mode, String(it.effective_tools.length), it.label]),
            ) + moreOf(page),
    }
  },
})
