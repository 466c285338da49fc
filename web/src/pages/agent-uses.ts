import { agentHostConfig, agentHosts } from '../../../src/api/agent-hosts.ts'

const names = { claude: 'Claude', cursor: 'Cursor', vscode: 'VS Code', codex: 'Codex' } as const

/** How each agent host is told of this service. The key stands in none of them: hosts read it from their surroundings. */
export const agentUses = (): Record<string, string> =>
  Object.fromEntries(
    agentHosts.map((host) => [
      names[host],
      agentHostConfig(host, { kind: 'http', url: `${location.origin}/mcp` }, null).text.trimEnd(),
    ]),
  )
