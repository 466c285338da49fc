import { useState } from 'react'
import type { ApiKeyRecord } from '../../../src/api/application.ts'
import { Button } from '../parts/button.tsx'
import { Choices } from '../parts/choices.tsx'
import { CopyButton, shellWord } from '../parts/copy.tsx'
import { Window } from '../parts/dialog.tsx'

/** Ready-made uses of a key. The key stands in the first only: pipelines and agents read it from their secrets. */
const snippets = (origin: string, tenant: string, key: string): Record<string, string> => ({
  'Command line': `export SVC_API_KEY=${shellWord(key)}
svc --base-url ${origin} --tenant ${shellWord(tenant)} auth whoami`,
  CI: `- name: Compare with the published version
  env:
    SVC_API_KEY: \${{ secrets.SVC_API_KEY }}
  run: svc --base-url ${origin} --tenant ${shellWord(tenant)} import openapi openapi.yaml --min-grade B`,
  Agent: `curl --fail --silent \\
  --header "X-API-Key: $SVC_API_KEY" \\
  ${origin}/v1/tenants/${encodeURIComponent(tenant)}/projects`,
})

const Shown = ({ tenant, record, onClose }: { tenant: string; record: ApiKeyRecord; onClose: () => void }) => {
  const [stored, setStored] = useState(false)
  const [use, setUse] = useState('Command line')
  const key = record.key ?? ''
  const uses = snippets(location.origin, tenant, key)
  const snippet = uses[use] ?? ''
  return (
    <>
      <p className="text-soft">This is the only time the key can be seen. Only a digest of it is kept.</p>
      <div className="flex items-center gap-2 rounded-lg border border-accent bg-wash p-3">
        <code className="min-w-0 grow font-mono text-sm break-all" aria-label="The key">
          {key}
        </code>
        <CopyButton text={key} what="the key" />
      </div>
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
      <label className="flex items-center gap-2">
        <input type="checkbox" checked={stored} onChange={(event) => setStored(event.target.checked)} />I have stored
        the key
      </label>
      <div className="flex justify-end">
        <Button look="primary" disabled={!stored} onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  )
}

/** A key just made. The window does not close before its reader says that the key is stored. */
export const ShownOnce = ({
  tenant,
  record,
  onClose,
}: {
  tenant: string
  record: ApiKeyRecord | null
  onClose: () => void
}) => (
  <Window open={record !== null} onOpenChange={() => {}} title={record ? `The key "${record.name}"` : 'The key'}>
    {record ? <Shown tenant={tenant} record={record} onClose={onClose} /> : null}
  </Window>
)
