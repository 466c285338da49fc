import { applicationApi, type ApiKeyRecord, type RotationGrace } from '../../../../src/api/application.ts'
import { call } from '../../call.ts'
import { DaysField } from '../../parts/fields.tsx'
import { Form, type Option, RadioField, useForm } from '../../parts/form.tsx'
import { daysOf, refreshKeys } from './queries.ts'

const graces: readonly Option<RotationGrace>[] = [
  { value: '24h', name: 'Works 24 hours more', detail: 'Enough to switch its callers today.' },
  { value: '7d', name: 'Works 7 days more', detail: 'For callers that are switched with their next release.' },
  { value: '0s', name: 'Ends at once', detail: 'When it leaked: its callers are refused until they have the new one.' },
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
    await refreshKeys(tenant)
  })
  return (
    <Form change={form} submit="Make the replacement" onCancel={onClose}>
      <ol className="list-inside list-decimal text-soft">
        <li>A new key with the same scopes is made and shown once.</li>
        <li>You switch its callers over.</li>
        <li>The old key ends by itself, or you delete it once it is no longer used.</li>
      </ol>
      <RadioField
        legend="The old key"
        value={form.values.grace}
        options={graces}
        onChange={(grace) => form.set({ grace })}
      />
      <DaysField label="The new key expires after so many days" {...form.bind('days', 'expires_in_days')} />
    </Form>
  )
}
