import { applicationApi, type ApiKeyRecord } from '../../../../src/api/application.ts'
import { call } from '../../call.ts'
import { ExpiryField } from '../../parts/expiry-field.tsx'
import { Field, Form, RadioField, useForm } from '../../parts/form.tsx'
import { presets } from './scope-presets.ts'
import { daysOf, refreshKeys } from './queries.ts'

/** Creates a key: its name, its scopes, its expiry. */
export const CreateKey = ({
  tenant,
  onClose,
  onMade,
}: {
  tenant: string
  onClose: () => void
  onMade: (record: ApiKeyRecord) => void
}) => {
  const form = useForm({ name: '', description: '', preset: presets[0]?.id ?? '', days: '90' }, async (given) => {
    const scopes = presets.find((it) => it.id === given.preset)?.scopes ?? []
    const { name, description } = given
    const made = await call(applicationApi.createKey, {
      params: { tenant_slug: tenant },
      body: { name, description, scopes: [...scopes], expires_in_days: daysOf(given.days) },
    })
    onMade(made)
    await refreshKeys(tenant, 'api')
  })
  return (
    <Form change={form} submit="Create" onCancel={onClose}>
      <Field label="Name" required maxLength={100} hint="Shown in lists and logs." {...form.bind('name')} />
      <Field label="Description (optional)" maxLength={1000} {...form.bind('description')} />
      <RadioField
        legend="Permissions (cannot be changed later)"
        value={form.values.preset}
        options={presets.map((it) => ({ value: it.id, name: it.name, detail: it.allows }))}
        onChange={(preset) => form.set({ preset })}
      />
      <ExpiryField days={form.values.days} error={form.error} onChange={(days) => form.set({ days })} />
    </Form>
  )
}

/** Changes what a key is called: nothing else of it ever changes. */
export const EditKey = ({ tenant, record, onClose }: { tenant: string; record: ApiKeyRecord; onClose: () => void }) => {
  const form = useForm({ name: record.name, description: record.description }, async (body) => {
    await call(applicationApi.updateKey, { params: { tenant_slug: tenant, key_id: record.id }, body })
    await refreshKeys(tenant, 'api')
    onClose()
  })
  return (
    <Form change={form} submit="Save" onCancel={onClose}>
      <Field label="Name" required maxLength={100} {...form.bind('name')} />
      <Field label="Description (optional)" maxLength={1000} {...form.bind('description')} />
    </Form>
  )
}
