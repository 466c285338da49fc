import { agentHostConfig, agentHosts } from '../../../src/api/agent-hosts.ts'
import { SecretWindow, Uses } from './secret.tsx'

const names = { claude: 'Claude', cursor: 'Cursor', vscode: 'VS Code', codex: 'Codex' } as const

/** How each agent host is told of this service, with the key filled in: both are shown this once. */
const uses = (key: string): Record<string, string> =>
  Object.fromEntries(
    agentHosts.map((host) => [
      names[host],
      agentHostConfig(host, { kind: 'http', url: `${location.origin}/mcp` }, key).text.trimEnd(),
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
  <SecretWindow title={record ? `Key "${record.label}"` : 'Key'} secret={record?.key ?? null} onClose={onClose}>
    <p className="text-soft">
      Add this configuration to the agent host. It contains the key: keep the file private, or move the key to the
      environment variable <code className="font-mono text-sm">SVC_MCP_API_KEY</code>.
    </p>
    <Uses uses={uses(record?.key ?? '')} />
  </SecretWindow>
)
