import { agentHostConfig, agentHosts } from '../../src/api/agent-hosts.ts'
import { SvcError } from '../../src/errors.ts'
import { workspaceInUse } from '../../cli/config/connection-facts.ts'
import { loadConfig } from '../../cli/configuration.ts'
import { command, type Invocation } from '../../cli/declare.ts'

/** The folder of the nearest svc.yaml: a host starts svc in a folder of its own. @throws SvcError `usage` where there is none */
async function repositoryHere(invocation: Invocation): Promise<string> {
  const { designOf } = await import('../../cli/mcp/design/design.ts')
  return (await designOf(invocation).repository()).folder
}

export default command({
  summary: 'Print the configuration that connects an agent',
  description:
    'Without --url the agent starts "svc mcp" itself; with --url it connects to a running server. A local workspace is named by its path and needs no key. Without --key, the key comes from the variable SVC_MCP_API_KEY, or the host asks for it. Tool names are written with underscores, which every host accepts. With --design, the repository of the nearest svc.yaml is named by its path.',
  examples: [
    'svc mcp config --client claude',
    'svc mcp config --client claude --design',
    'svc mcp config --client vscode --url http://127.0.0.1:8765/mcp',
  ],
  arguments: [],
  options: {
    client: { type: 'string', placeholder: 'HOST', choices: agentHosts, required: true, summary: 'the agent host' },
    url: { type: 'string', placeholder: 'URL', summary: 'connect over HTTP to this address instead' },
    key: { type: 'string', placeholder: 'KEY', summary: 'MCP key to write into the configuration' },
    design: {
      type: 'boolean',
      summary: 'the tools that edit the files of the repository of svc.yaml too; the host has to run on this machine',
    },
    command: { type: 'string', placeholder: 'PATH', default: 'svc', summary: 'how the host starts svc' },
  },
  isBounded: true,
  async run(invocation) {
    const { options, globals } = invocation
    const { client, url, key, command, design } = options
    if (design && url !== undefined)
      throw new SvcError('usage', { reason: '--design edits files of this machine: it cannot be used with --url' })
    const repository = design ? await repositoryHere(invocation) : null
    if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new SvcError('usage', { reason: `--url must be an http or https URL, not "${url}".` })
    // A host starts svc in a folder of its own, so that the workspace is named.
    const workspace = url === undefined ? workspaceInUse(invocation, loadConfig(invocation).values.workspace) : null
    const place = [
      ...(globals.baseUrl === undefined ? [] : ['--base-url', globals.baseUrl]),
      ...(workspace === null ? [] : ['--workspace', workspace]),
    ]
    const transport =
      url === undefined
        ? ({
            kind: 'stdio',
            command,
            args: ['mcp', ...(repository === null ? [] : ['--design', '--root', repository]), ...place],
            needsKey: globals.baseUrl !== undefined,
          } as const)
        : ({ kind: 'http', url } as const)
    const snippet = agentHostConfig(client, transport, key ?? null)
    return { data: { client, ...snippet }, text: snippet.text }
  },
})
