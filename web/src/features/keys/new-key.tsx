import type { ApiKeyRecord } from '../../../../src/api/application.ts'
import { svcCommand, shellWord } from '../../parts/copy.tsx'
import { SecretWindow, Uses } from '../../parts/secret.tsx'

/** The command of a pipeline that a key of these scopes may run. */
const pipelineCommand = (tenant: string, scopes: readonly string[]): string => {
  const imports = svcCommand(tenant, ['import', 'openapi', 'openapi.yaml'], { 'min-grade': 'B' })
  if (scopes.includes('catalog:publish')) return `${imports} --publish private`
  if (scopes.includes('*') || scopes.includes('catalog:import')) return imports
  if (scopes.includes('lint:read') && !scopes.includes('diff:read'))
    return svcCommand(tenant, ['version', 'lint', 'PROJECT', 'VERSION'])
  return svcCommand(tenant, ['diff', 'PROJECT@latest', 'openapi.yaml'], { 'fail-on': 'breaking' })
}

const remote = (command: string): string => command.replace(/^svc /, `svc --base-url ${location.origin} `)

/** Examples of how to use a key. Only the first contains the key: pipelines and agents read it from their secrets. */
const usesOf = (tenant: string, { key = '', scopes }: ApiKeyRecord): Record<string, string> => {
  const pipeline = remote(pipelineCommand(tenant, scopes))
  const readsAll = scopes.some((scope) => scope === '*' || scope.startsWith('catalog:'))
  const first = readsAll ? remote(svcCommand(tenant, ['auth', 'whoami'])) : pipeline
  const uses = {
    'Command line': `export SVC_API_KEY=${shellWord(key)}\n${first}`,
    CI: `- name: Check the specification
  env:
    SVC_API_KEY: \${{ secrets.SVC_API_KEY }}
  run: ${pipeline}`,
  }
  // An agent reads projects and versions, which the narrow scopes do not reach.
  if (!readsAll) return uses
  const server = {
    command: 'svc',
    args: ['--base-url', location.origin, '--tenant', tenant, 'mcp'],
    env: { SVC_API_KEY: '${SVC_API_KEY}', SVC_MCP_TOOL_NAMES: 'underscore' },
  }
  return { ...uses, Agent: JSON.stringify({ mcpServers: { svc: server } }, null, 2) }
}

/** A REST key just made, with what to do with it. */
export const ShownOnce = ({
  tenant,
  record,
  onClose,
}: {
  tenant: string
  record: ApiKeyRecord | null
  onClose: () => void
}) => (
  <SecretWindow title={record ? `Key "${record.name}"` : 'Key'} secret={record?.key ?? null} onClose={onClose}>
    {record ? <Uses uses={usesOf(tenant, record)} /> : null}
    {record?.replaces_id ? (
      <p className="text-soft">
        Now update the clients of the old key. The list shows when it was last used and when it expires.
      </p>
    ) : null}
  </SecretWindow>
)
