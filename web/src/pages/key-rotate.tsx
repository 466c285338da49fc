import { useState } from 'react'
import { applicationApi, type ApiKeyRecord, type RotationGrace } from '../../../src/api/application.ts'
import { call } from '../call.ts'
import { Button } from '../parts/button.tsx'
import { Window } from '../parts/dialog.tsx'
import { Form, useChange } from '../parts/form.tsx'

const graces: readonly { readonly value: RotationGrace; readonly name: string }[] = [
  { value: '24h', name: 'works 24 hours more' },
  { value: '7d', name: 'works 7 days more' },
  { value: '0s', name: 'ends at once' },
]

/** Replaces a key by one of the same scopes; the old one lives on for the time that switching takes. */
export const RotateKey = ({
  tenant,
  record,
  onClose,
  onMade,
}: {
  tenant: string
  record: ApiKeyRecord | null
  onClose: () => void
  onMade: (record: ApiKeyRecord) => void
}) => {
  const [grace, setGrace] = useState<RotationGrace>('24h')
  const change = useChange(async () => {
    if (!record) return
    const made = await call(applicationApi.rotateKey, {
      params: { tenant_slug: tenant, key_id: record.id },
      body: { grace },
    })
    onClose()
    onMade(made)
  })
  return (
    <Window open={record !== null} onOpenChange={onClose} title={`Rotate ${record?.name ?? ''}`}>
      <Form
        onSubmit={() => void change.run()}
        error={change.error}
        actions={
          <>
            <Button type="submit" look="primary" busy={change.busy}>
              Make the replacement
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </>
        }
      >
        <ol className="list-inside list-decimal text-soft">
          <li>A new key with the same scopes is made and shown once.</li>
          <li>You switch its callers over.</li>
          <li>The old key ends by itself.</li>
        </ol>
        <fieldset className="grid gap-1.5">
          <legend className="mb-1 text-sm font-medium">The old key</legend>
          {graces.map((it) => (
            <label key={it.value} className="flex items-baseline gap-2">
              <input type="radio" name="grace" checked={grace === it.value} onChange={() => setGrace(it.value)} />
              {it.name}
            </label>
          ))}
        </fieldset>
      </Form>
    </Window>
  )
}
