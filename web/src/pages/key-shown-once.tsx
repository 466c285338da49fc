import { useState } from 'react'
import type { ApiKeyRecord } from '../../../src/api/application.ts'
import { Choices } from '../parts/choices.tsx'
import { CopyButton, shellWord } from '../parts/copy.tsx'
import { SecretWindow } from '../parts/secret.tsx'

/** Ready-made uses of a key. The key stands in the first only: pipelines and agents read it from their secrets. */
const snippets = (origin: string, tenant: string, key: string): Record<string, string> => ({
  'Command line': `export SVC_API_KEY=${shellWord(key)}
svc --base-url ${origin} --tenant ${shellWord(tenant)} auth whoami`,
  CI: `- name: Import and grade the specification
  env:
    SVC_API_KEY: \${{ secrets.SVC_API_KEY }}
  run: svc --base-url ${origin} --tenant ${shellWord(tenant)} import openapi openapi.yaml --min-grade B`,
  Agent: `curl --fail --silent \\
  --header "X-API-Key: $SVC_API_KEY" \\
  ${origin}/v1/tenants/${encodeURIComponent(tenant)}/projects`,
})

const Uses = ({ tenant, secret }: { tenant: string; secret: string }) => {
  const [use, setUse] = useState('Command line')
  const uses = snippets(location.origin, tenant, secret)
  const snippet = uses[use] ?? ''
  return (
    <div className="grid gap-2">
      <Choices
        label="Use it in"
        value={use}
        onChange={(next) => setUse(next ?? use)}
        choices={Object.keys(uses).map((name) => ({ value: name, name }))}
      />
      <div className="flex items-start gap-2 rounded-lg bg-raised p-3">
        <pre className="min-w-0 grow overflow-x-auto font-mono text-xs whitespace-pre-wrap">{snippet}</pre>
        <CopyButton text={snippet} what="the snippet" />
      </div>
    </div>
  )
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
  <SecretWindow title={record ? `The key "${record.name}"` : 'The key'} secret={record?.key ?? null} onClose={onClose}>
    <Uses tenant={tenant} secret={record?.key ?? ''} />
  </SecretWindow>
)
