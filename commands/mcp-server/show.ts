import { McpEndpoint } from '../../src/api/mcp-server-shapes.ts'
import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { command } from '../../cli/declare.ts'
import { findServer, renderServer, serverArgument } from '../../cli/mcp-server/shared.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'Show an MCP server: its state, and what is declared beside what is observed',
  examples: ['svc mcp-server show com.example/weather', 'svc mcp-server show https://mcp.example.com/mcp --facts'],
  arguments: [serverArgument],
  options: { facts: { type: 'boolean', summary: 'list each tool, resource and prompt, and where it is known from' } },
  dataSchema: McpEndpoint,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const slug = await tenant()
    const server = await findServer(call, slug, args.server)
    if (!options.facts) return { data: server, text: renderServer(server) }
    const provenance = await call(mcpServersApi.provenance, { params: { tenant_slug: slug, endpoint_id: server.id } })
    const rows = provenance.facts.map((it) => [
      it.kind,
      it.key,
      it.origin,
      it.difference?.changes[0]?.message ?? it.warnings[0]?.message ?? '',
    ])
    return {
      data: { ...server, provenance },
      text: () => `${renderServer(server)}\n${renderTable(['KIND', 'NAME', 'KNOWN FROM', 'DIFFERENCE'], rows)}`,
    }
  },
})
