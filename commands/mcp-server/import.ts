import { readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { plural } from '../../src/kernel/plural.ts'
import { command, type Invocation } from '../../cli/declare.ts'
import { readFileText, readStandardInput, readUrl } from '../../cli/input/document-source.ts'
import { countsText } from '../../cli/mcp-server/shared.ts'

/** A manifest as an import takes it. */
interface ReadManifest {
  readonly name: string
  readonly manifest: string
  /** The text of tools.json beside a server.yaml. */
  readonly tools: string | null
}

/** "server.yaml" has its tools in "tools.json", "okta.server.yaml" in "okta.tools.json". */
function toolsBeside(path: string): string | null {
  const [, prefix] = /^(.*?)server\.ya?ml$/i.exec(basename(path)) ?? []
  if (prefix === undefined) return null
  const wanted = `${prefix}tools.json`
  const folder = dirname(path)
  return readdirSync(folder).includes(wanted) ? join(folder, wanted) : null
}

/**
 * Reads a manifest: a file, an address, or "-" for standard input.
 * @throws SvcError `file-not-found`, `file-is-folder`, `file-unreadable`, `egress-denied`, `fetch-failed`
 */
async function readManifestFile(name: string, invocation: Invocation<unknown, unknown>): Promise<ReadManifest> {
  if (name === '-') {
    const { text } = await readStandardInput(invocation)
    return { name: 'standard input', manifest: text, tools: null }
  }
  if (/^https?:\/\//i.test(name)) return { name, manifest: (await readUrl(name, invocation)).text, tools: null }
  const { cwd } = invocation
  const { text } = await readFileText(name, cwd)
  const beside = toolsBeside(resolve(cwd, name))
  return { name, manifest: text, tools: beside === null ? null : (await readFileText(beside, cwd)).text }
}

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
          : [answer, ...answer.more].map((entry) => ({
              ...entry,
              id: entry.endpoint.id,
              name: entry.endpoint.name,
              counts: entry.manifest.counts,
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
