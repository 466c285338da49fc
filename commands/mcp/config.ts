import { agentHostConfig, agentHosts } from '../../src/api/agent-hosts.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'

export default command({
  summary: 'Print the configuration that connects an agent',
  description:
    'Without --url the agent starts "svc mcp" itself; with --url it connects to a running server. Without --key, the key comes from the variable SVC_MCP_API_KEY, or the host asks for it. Tool names are written with underscores, which every host accepts.',
  examples: ['svc mcp config --client claude', 'svc mcp config --client vscode --url http://127.0.0.1:8765/mcp'],
  arguments: [],
  options: {
    client: { type: 'string', placeholder: 'HOST', choices: agentHosts, required: true, summary: 'the agent host' },
    url: { type: 'string', placeholder: 'URL', summary: 'connect over HTTP to this address instead' },
    key: { type: 'string', placeholder: 'KEY', summary: 'MCP key to write into the configuration' },
    command: { type: 'string', placeholder: 'PATH', default: 'svc', summary: 'how the host starts svc' },
  },
  async run({ options, globals }) {
    const { client, url, key, command } = options
    if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new SvcError('usage', { reason: `--url must be an http or https URL, not "${url}".` })
    const place = [
      ...(globals.baseUrl === undefined ? [] : ['--base-url', globals.baseUrl]),
      ...(globals.workspace === undefined ? [] : ['--workspace', globals.workspace]),
    ]
    const transport =
      url === undefined
        ? ({ kind: 'stdio', command, args: ['mcp', ...place] } as const)
        : ({ kind: 'http', url } as const)
    const snippet = agentHostConfig(client, transport, key ?? null)
    return { data: { client, ...snippet }, text: snippet.text }
  },
})
