import { McpEndpoint } from '../../src/api/mcp-server-shapes.ts'
import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { findServer, renderServer, serverArgument } from '../../cli/mcp-server/shared.ts'

export default command({
  summary: 'Approve what an MCP server was seen to offer, by its fingerprint',
  description:
    'The fingerprint says what was looked at, so that a server that changed since is not approved by mistake: "svc mcp-server show" prints it, and its first 12 characters are enough. Needs a person with the role Admin or Owner.',
  examples: ['svc mcp-server approve com.example/weather --fingerprint 2c26b46b68ff --note "Reviewed by security"'],
  arguments: [serverArgument],
  options: {
    fingerprint: {
      type: 'string',
      placeholder: 'FINGERPRINT',
      required: true,
      summary: 'of the surface that you looked at',
    },
    note: { type: 'string', placeholder: 'TEXT', summary: 'why it is approved' },
  },
  dataSchema: McpEndpoint,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const slug = await tenant()
    const server = await findServer(call, slug, args.server)
    const given = options.fingerprint.replace(/^sha256:/i, '').toLowerCase()
    if (!/^[0-9a-f]{12,64}$/.test(given))
      throw new SvcError('usage', {
        reason: `--fingerprint must be at least 12 hexadecimal digits, not "${options.fingerprint}"`,
      })
    const observed = server.observed?.fingerprint ?? null
    const isMeant = observed !== null && observed.replace(/^sha256:/, '').startsWith(given)
    const approved = await call(mcpServersApi.approve, {
      params: { tenant_slug: slug, endpoint_id: server.id },
      body: { fingerprint: isMeant ? observed : `sha256:${given}`, note: options.note ?? null },
    })
    return { data: approved, text: renderServer(approved) }
  },
})
