import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { command } from '../../cli/declare.ts'
import { readManifestFile } from '../../cli/mcp-server/read-manifests.ts'
import { countsText } from '../../cli/mcp-server/shared.ts'
import { plural } from '../../src/plural.ts'

export default command({
  summary: 'Import manifests of MCP servers; a known server gets another declaration',
  description:
    'Reads server.json of every schema version, tools/list answers, Docker server.yaml (with the tools.json beside it), MCPB manifests and mcpServers configurations. Values of secrets are dropped before anything is stored. A running service observes a server with an address soon afterwards.',
  examples: [
    'svc mcp-server import server.json',
    'svc mcp-server import tools.json --endpoint-url https://mcp.example.com/mcp --transport streamable_http',
    'svc mcp-server import .mcp.json --dry-run',
    'svc mcp-server import servers/*/server.yaml --source-label docker/mcp-registry',
  ],
  arguments: [{ name: 'files', required: true, variadic: true, summary: 'files or URLs; - reads standard input' }],
  options: {
    'endpoint-url': {
      type: 'string',
      placeholder: 'URL',
      summary: 'where the server is, if the manifest does not say it',
    },
    transport: {
      type: 'string',
      placeholder: 'TRANSPORT',
      choices: ['streamable_http', 'sse', 'stdio'],
      summary: 'how the server is reached, if the manifest does not say it',
    },
    'source-label': { type: 'string', placeholder: 'TEXT', summary: 'where the manifest is from; never fetched' },
    'dry-run': { type: 'boolean', summary: 'show what would be done, without storing anything' },
  },
  async run(invocation) {
    const { args, options, connection, io } = invocation
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant() }
    const done: unknown[] = []
    const lines: string[] = []
    let servers = 0
    for (const file of args.files) {
      const { name, manifest, tools } = await readManifestFile(file, invocation)
      const body = {
        manifest,
        tools,
        endpoint_url: options['endpoint-url'] ?? null,
        transport: options.transport ?? null,
        source_label: options['source-label'] ?? null,
      }
      const dry = options['dry-run']
      const answer = dry
        ? await call(mcpServersApi.preview, { params, body })
        : await call(mcpServersApi.import, { params, body })
      for (const notice of answer.notices) io.log.warn(`${name}:${notice.line}:${notice.column} ${notice.message}`)
      const list =
        'servers' in answer
          ? answer.servers.map((it) => ({ ...it, id: it.endpoint_id }))
          : [answer, ...answer.more].map((it) => ({
              ...it,
              id: it.endpoint.id,
              name: it.endpoint.name,
              counts: it.manifest.counts,
            }))
      for (const it of list) {
        const verb = it.endpoint_created ? (dry ? 'would add' : 'added') : dry ? 'would update' : 'updated'
        const known = it.id === null ? '' : ` ${it.id}`
        lines.push(`${verb}${known} ${it.name}: declares ${countsText(it.counts)}. ${it.reason}\n`)
        if (it.surface_conflict) lines.push(`  The same surface is declared at another address.\n`)
      }
      servers += list.length
      done.push(answer)
    }
    return {
      data: done,
      summary: { files: args.files.length, servers },
      text: () => `${lines.join('')}${args.files.length > 1 ? `${plural(servers, 'server')}.\n` : ''}`,
    }
  },
})
