/** The configuration that connects an agent host to the MCP server, as `svc mcp config` and the application print it. */

export const agentHosts = ['claude', 'cursor', 'vscode', 'codex'] as const
export type AgentHost = (typeof agentHosts)[number]

/** The way to the server: started by the host (`needsKey` false where it serves a local workspace), or reached over HTTP. */
export type AgentTransport =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[]; readonly needsKey?: boolean }
  | { readonly kind: 'http'; readonly url: string }

const keyVariable = 'SVC_MCP_API_KEY'

/** Hosts hand tool names to models whose interfaces refuse dots, so that each is given the underscore spelling. */
const namesVariable = { SVC_MCP_TOOL_NAMES: 'underscore' }

const withNames = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}names=underscore`
const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

interface Snippet {
  /** Where the text belongs, as the host's own documentation names it. */
  readonly place: string
  readonly language: 'json' | 'toml'
  readonly text: string
}

/**
 * The configuration of a host.
 *
 * @param key the key to fill in; null where none is needed or where it is taken from `SVC_MCP_API_KEY` of the surroundings
 */
export function agentHostConfig(host: AgentHost, transport: AgentTransport, key: string | null): Snippet {
  return writers[host](transport, key)
}

type Writer = (transport: AgentTransport, key: string | null) => Snippet

/** Hosts that read `mcpServers` differ in how a header names a variable. */
const mcpServers =
  (place: string, variable: (name: string) => string, typed: boolean): Writer =>
  (transport, key) => {
    const server =
      transport.kind === 'stdio'
        ? {
            command: transport.command,
            args: transport.args,
            env: { ...namesVariable, ...(key !== null && { [keyVariable]: key }) },
          }
        : {
            ...(typed && { type: 'http' }),
            url: withNames(transport.url),
            headers: { Authorization: `Bearer ${key ?? variable(keyVariable)}` },
          }
    return { place, language: 'json', text: json({ mcpServers: { svc: server } }) }
  }

/** VS Code asks for secrets instead of keeping them in the file. */
const vscode: Writer = (transport, key) => {
  const input = { type: 'promptString', id: 'svc-mcp-key', description: 'MCP key of svc', password: true }
  const isAsked = key === null && (transport.kind === 'http' || transport.needsKey !== false)
  const secret = key ?? `\${input:${input.id}}`
  const server =
    transport.kind === 'stdio'
      ? {
          type: 'stdio',
          command: transport.command,
          args: transport.args,
          env: { ...namesVariable, ...(isAsked || key !== null ? { [keyVariable]: secret } : {}) },
        }
      : { type: 'http', url: withNames(transport.url), headers: { Authorization: `Bearer ${secret}` } }
  const text = json({ ...(isAsked && { inputs: [input] }), servers: { svc: server } })
  return { place: '.vscode/mcp.json', language: 'json', text }
}

/** A basic string of TOML 1.0; JSON's escapes are a subset of its own. */
const toml = (text: string): string => JSON.stringify(text)

const codex: Writer = (transport, key) => {
  const lines = ['[mcp_servers.svc]']
  if (transport.kind === 'stdio') {
    lines.push(`command = ${toml(transport.command)}`, `args = [${transport.args.map(toml).join(', ')}]`)
    lines.push('', '[mcp_servers.svc.env]', 'SVC_MCP_TOOL_NAMES = "underscore"')
    if (key !== null) lines.push(`${keyVariable} = ${toml(key)}`)
  } else {
    lines.push(`url = ${toml(withNames(transport.url))}`)
    // Without a key in the file the host reads it from the variable that is named here.
    if (key === null) lines.push(`bearer_token_env_var = ${toml(keyVariable)}`)
    else lines.push(`http_headers = { "Authorization" = ${toml(`Bearer ${key}`)} }`)
  }
  return { place: '~/.codex/config.toml', language: 'toml', text: `${lines.join('\n')}\n` }
}

const writers: Readonly<Record<AgentHost, Writer>> = {
  claude: mcpServers('.mcp.json of a project, or claude_desktop_config.json', (name) => `\${${name}}`, true),
  cursor: mcpServers('.cursor/mcp.json', (name) => `\${env:${name}}`, false),
  vscode,
  codex,
}
