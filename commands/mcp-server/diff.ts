import { changeSeverities } from '../../src/diff/change.ts'
import { McpSurfaceDiff } from '../../src/api/mcp-server-shapes.ts'
import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { command } from '../../cli/declare.ts'
import { diffText } from '../../cli/mcp-server/diff-text.ts'
import { findServer, serverArgument } from '../../cli/mcp-server/shared.ts'

export default command({
  summary: 'Compare what an MCP server offers with what was approved or declared',
  description:
    'Schemas are compared by the values they allow; a value that one side accepts and the other refuses is shown. Sides are approved, observed, declared, or fingerprints.',
  examples: [
    'svc mcp-server diff com.example/weather',
    'svc mcp-server diff com.example/weather --from declared --fail-on breaking',
  ],
  arguments: [serverArgument],
  options: {
    from: { type: 'string', placeholder: 'SURFACE', summary: 'the earlier side (default: approved, else declared)' },
    to: { type: 'string', placeholder: 'SURFACE', summary: 'the later side (default: observed)' },
    'fail-on': {
      type: 'string',
      placeholder: 'SEVERITY',
      choices: changeSeverities,
      summary: 'exit 4 on a change at or above it',
    },
  },
  dataSchema: McpSurfaceDiff,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const slug = await tenant()
    const { id } = await findServer(call, slug, args.server)
    const { from, to } = options
    const diff = await call(mcpServersApi.diff, {
      params: { tenant_slug: slug, endpoint_id: id },
      query: { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) },
    })
    const limit = options['fail-on']
    const rank = (severity: string) => changeSeverities.indexOf(severity as (typeof changeSeverities)[number])
    const fails = limit !== undefined && diff.severity !== null && rank(diff.severity) <= rank(limit)
    return {
      data: diff,
      summary: { severity: diff.severity, counts: diff.counts },
      text: () => diffText(diff),
      ...(fails && { exitCode: 4 as const }),
    }
  },
})
