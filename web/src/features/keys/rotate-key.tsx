import { applicationApi, type ApiKeyRecord, type RotationGrace } from '../../../../src/api/application.ts'
import { call } from '../../call.ts'
import { ExpiryField } from '../../parts/expiry-field.tsx'
import { Form, type Option, RadioField, useForm } from '../../parts/form.tsx'
import { daysOf, refreshKeys } from './queries.ts'

const graces: readonly Option<RotationGrace>[] = [
  { value: '24h', name: 'Expires in 24 hours', detail: 'If you can update its clients today.' },
  { value: '7d', name: 'Expires in 7 days', detail: 'If its clients are updated with their next release.' },
  { value: '0s', name: 'Expires now', detail: 'If the key leaked. Its clients fail until they use the new key.' },
]

/** How long a key was meant to live, in days; empty for one that never ends. */
const lifetime = ({ created_at, expires_at }: ApiKeyRecord): string =>
  expires_at === null
    ? ''
    : String(Math.max(1, Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000)))

type Given = { grace: RotationGrace; days: string }

/** Replaces a key by one of the same scopes; the old one lives on for the time that switching takes. */
export const RotateKey = ({
  tenant,
  record,
  onClose,
  onMade,
}: {
  tenant: string
  record: ApiKeyRecord
  onClose: () => void
  onMade: (record: ApiKeyRecord) => void
}) => {
  const form = useForm<Given>({ grace: '24h', days: lifetime(record) }, async ({ grace, days }) => {
    const made = await call(applicationApi.rotateKey, {
      params: { tenant_slug: tenant, key_id: record.id },
      body: { grace, expires_in_days: daysOf(days) },
    })
    onMade(made)
    await refreshKeys(tenant, 'api')
  })
  return (
    <Form change={form} submit="Create the new key" onCancel={onClose}>
      <ol className="list-inside list-decimal text-soft">
        <li>A new key with the same permissions is created and shown once.</li>
        <li>Update the clients to use the new key.</li>
        <li>The old key expires, or you delete it when it is no longer used.</li>
      </ol>
      <RadioField
        legend="The old key"
        value={form.values.grace}
        options={graces}
        onChange={(grace) => form.set({ grace })}
      />
      <ExpiryField
        label="The new key expires"
        days={form.values.days}
        error={form.error}
        onChange={(days) => form.set({ days })}
      />
    </Form>
  )
}
