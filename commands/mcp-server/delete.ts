import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { restoreHint } from '../../cli/bin/shared.ts'
import { command } from '../../cli/declare.ts'
import { findServer, serverArgument } from '../../cli/mcp-server/shared.ts'

export default command({
  summary: 'Remove an MCP server from the catalogue, with its observations and approvals',
  description:
    'You can restore it for 30 days with "svc bin restore", but not the value of the header that observations send.',
  examples: ['svc mcp-server delete com.example/weather'],
  arguments: [serverArgument],
  options: {},
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const slug = await tenant()
    const { id, name } = await findServer(call, slug, args.server)
    await call(mcpServersApi.remove, { params: { tenant_slug: slug, endpoint_id: id } })
    return { data: null, text: `Removed ${name}\n${restoreHint(name)}` }
  },
})
