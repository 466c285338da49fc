import { agentHostConfig, agentHosts } from '../../../src/api/agent-hosts.ts'
import { SecretWindow, Uses } from './secret.tsx'

const names = { claude: 'Claude', cursor: 'Cursor', vscode: 'VS Code', codex: 'Codex' } as const

/** The configuration of each agent host, with the key filled in: shown only once. */
const uses = (key: string): Record<string, string> =>
  Object.fromEntries(
    agentHosts.map((host) => [
      names[host],
      agentHostConfig(host, { kind: 'http', url: `${location.origin}/mcp` }, key).text.trimEnd(),
    ]),
  )

/** A new key for an agent, with the configuration of its host. */
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
