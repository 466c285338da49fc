import { McpEndpoint } from '../../src/api/mcp-server-shapes.ts'
import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { findServer, renderServer, serverArgument } from '../../cli/mcp-server/shared.ts'

export default command({
  summary: 'Change the name or labels of an MCP server, or the header that observations send',
  description:
    'The value of the header is read from standard input, kept encrypted, and sent to the origin of the address only.',
  examples: [
    'svc mcp-server update com.example/weather --label production --label weather',
    'printf "Bearer $TOKEN" | svc mcp-server update com.example/weather --header Authorization',
    'svc mcp-server update com.example/weather --no-header',
  ],
  arguments: [serverArgument],
  options: {
    name: { type: 'string', placeholder: 'NAME', summary: 'another name' },
    title: { type: 'string', placeholder: 'TEXT', summary: 'another title' },
    label: { type: 'string', placeholder: 'LABEL', multiple: true, summary: 'replaces the labels' },
    header: { type: 'string', placeholder: 'NAME', summary: 'the header; its value is read from standard input' },
    'no-header': { type: 'boolean', summary: 'send no header any more' },
  },
  dataSchema: McpEndpoint,
  async run({ args, options, connection, io }) {
    const { name, title, label, header } = options
    if (header !== undefined && options['no-header'])
      throw new SvcError('usage', { reason: '--header and --no-header exclude each other' })
    const { call, tenant } = await connection()
    const slug = await tenant()
    const { id } = await findServer(call, slug, args.server)
    const value =
      header === undefined
        ? ''
        : new TextDecoder()
            .decode(await io.stdin())
            .split(/\r?\n/, 1)[0]!
            .trim()
    if (header !== undefined && value === '')
      throw new SvcError('usage', { reason: 'Missing value of the header: pipe it to standard input' })
    const changed = await call(mcpServersApi.update, {
      params: { tenant_slug: slug, endpoint_id: id },
      body: {
        ...(name === undefined ? {} : { name }),
        ...(title === undefined ? {} : { title }),
        ...(label.length === 0 ? {} : { labels: [...label] }),
        ...(header === undefined ? {} : { header: { name: header, value } }),
        ...(options['no-header'] ? { header: null } : {}),
      },
    })
    return { data: changed, text: renderServer(changed) }
  },
})
