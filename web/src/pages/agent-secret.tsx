import { agentHostConfig, agentHosts } from '../../../src/api/agent-hosts.ts'
import { SecretWindow, Uses } from '../parts/secret.tsx'

const names = { claude: 'Claude', cursor: 'Cursor', vscode: 'VS Code', codex: 'Codex' } as const

/** How each agent host is told of this service. The key stands in none of them: hosts read it from their surroundings. */
const uses = (): Record<string, string> =>
  Object.fromEntries(
    agentHosts.map((host) => [
      names[host],
      agentHostConfig(host, { kind: 'http', url: `${location.origin}/mcp` }, null).text.trimEnd(),
    ]),
  )

/** A key for an agent, just made, with what its host has to be told. */
export const AgentSecret = ({
  record,
  onClose,
}: {
  record: { readonly label: string; readonly key?: string | undefined } | null
  onClose: () => void
}) => (
  <SecretWindow title={record ? `The key "${record.label}"` : 'The key'} secret={record?.key ?? null} onClose={onClose}>
    <p className="text-soft">
      Put it into the variable <code className="font-mono text-sm">SVC_MCP_API_KEY</code> of the agent host, and tell
      the host where this service is:
    </p>
    <Uses uses={uses()} />
  </SecretWindow>
)
