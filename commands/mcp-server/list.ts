import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { endpointStates } from '../../src/mcp-catalogue/types.ts'
import { command } from '../../cli/declare.ts'
import { renderServers } from '../../cli/mcp-server/shared.ts'
import { moreOf, pageOptions, pageSummary } from '../../cli/paging.ts'

export default command({
  summary: 'List the MCP servers of the catalogue, newest first',
  examples: ['svc mcp-server list', 'svc mcp-server list weather', 'svc mcp-server list --state drifted --json'],
  arguments: [{ name: 'q', summary: 'a part of the name, title or address' }],
  options: {
    state: { type: 'string', placeholder: 'STATE', choices: endpointStates, summary: 'only servers in this state' },
    approved: {
      type: 'boolean',
      default: null,
      summary: 'only servers that were approved, or with --no-approved never',
    },
    ...pageOptions,
  },
  dataSchema: mcpServersApi.list.response,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const { state, approved, limit, offset } = options
    const page = await call(mcpServersApi.list, {
      params: { tenant_slug: await tenant() },
      query: {
        limit,
        offset,
        ...(args.q === undefined ? {} : { q: args.q }),
        ...(state === undefined ? {} : { state }),
        ...(approved === null ? {} : { approved }),
      },
    })
    const items = { items: page.endpoints, total: page.total, limit, offset }
    return {
      data: page,
      summary: pageSummary(items),
      text: () => `${renderServers(page.endpoints)}${moreOf(items)}`,
    }
  },
})
