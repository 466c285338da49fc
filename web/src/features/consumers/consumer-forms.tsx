import { useNavigate } from '@tanstack/react-router'
import { consumersApi, type ConsumerRecord } from '../../../../src/api/consumers.ts'
import { call } from '../../call.ts'
import { consumerParams, type ConsumerRef, refreshConsumers } from './queries.ts'
import { Confirmation } from '../../parts/dialog.tsx'
import { Field, Form, TextField, useForm } from '../../parts/form.tsx'

/** What the handle of a name would be; the service makes it, this only shows it. */
const handleOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')

const detailsOf = (values: { description: string; owner: string; contact: string }) => ({
  description: values.description.trim() || null,
  owner: values.owner.trim() || null,
  contact: values.contact.trim() || null,
})

type Bind = ReturnType<typeof useForm<Record<'name' | 'description' | 'owner' | 'contact', string>>>['bind']

const Details = ({ bind }: { bind: (name: 'description' | 'owner' | 'contact') => ReturnType<Bind> }) => (
  <>
    <TextField label="Description (optional)" maxLength={4000} {...bind('description')} />
    <Field label="Owner (optional)" maxLength={4000} hint="The team that answers for it." {...bind('owner')} />
    <Field label="Contact (optional)" maxLength={4000} hint="Where one reaches them." {...bind('contact')} />
  </>
)

export const CreateConsumer = ({
  tenant,
  project,
  onClose,
}: {
  tenant: string
  project: string
  onClose: () => void
}) => {
  const navigate = useNavigate()
  const form = useForm({ name: '', handle: '', description: '', owner: '', contact: '' }, async (values) => {
    const made = await call(consumersApi.create, {
      params: { tenant_slug: tenant, project_ref: project },
      body: {
        name: values.name,
        ...(values.handle === '' ? {} : { handle: values.handle }),
        ...detailsOf(values),
      },
    })
    await refreshConsumers(tenant)
    await navigate({
      to: '/t/$tenant/$project/-/consumers/$consumer',
      params: { tenant, project, consumer: made.handle },
      replace: true,
    })
  })
  const derived = handleOf(form.values.name)
  return (
    <Form change={form} submit="Register" onCancel={onClose}>
      <Field label="Name" required maxLength={200} {...form.bind('name')} />
      <Field
        label="Handle (optional)"
        pattern="[a-z0-9]+([.\-][a-z0-9]+)*"
        maxLength={100}
        spellCheck={false}
        placeholder={derived}
        hint={`The word in addresses and commands${derived === '' ? '' : `: "${derived}" when left empty`}. It never changes.`}
        {...form.bind('handle')}
      />
      <Details bind={form.bind} />
    </Form>
  )
}

const parseMetadata = (text: string): Record<string, unknown> => {
  const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('The metadata has to be a JSON object, such as {"tier": "gold"}.')
  return value as Record<string, unknown>
}

export const EditConsumer = ({
  at,
  consumer,
  onClose,
}: {
  at: ConsumerRef
  consumer: ConsumerRecord
  onClose: () => void
}) => {
  const initial = {
    name: consumer.name,
    description: consumer.description ?? '',
    owner: consumer.owner ?? '',
    contact: consumer.contact ?? '',
    metadata: Object.keys(consumer.metadata).length === 0 ? '' : JSON.stringify(consumer.metadata, null, 2),
  }
  const form = useForm(initial, async (values) => {
    const metadata = parseMetadata(values.metadata)
    await call(consumersApi.update, {
      params: consumerParams(at),
      body: { name: values.name, ...detailsOf(values), metadata },
    })
    await refreshConsumers(at.tenant)
    onClose()
  })
  return (
    <Form change={form} submit="Save" onCancel={onClose}>
      <Field label="Name" required maxLength={200} {...form.bind('name')} />
      <Details bind={form.bind} />
      <TextField
        label="Metadata (optional)"
        className="font-mono text-xs"
        spellCheck={false}
        hint="A JSON object of your own, such as a link to its repository."
        {...form.bind('metadata')}
      />
    </Form>
  )
}

export const RetireConsumer = ({
  at,
  name,
  revisions,
  open,
  onClose,
}: {
  at: ConsumerRef
  name: string
  revisions: number
  open: boolean
  onClose: () => void
}) => {
  const navigate = useNavigate()
  return (
    <Confirmation
      open={open}
      onClose={onClose}
      title={`Retire ${name}?`}
      action="Retire"
      onConfirm={async () => {
        await call(consumersApi.retire, { params: consumerParams(at) })
        await navigate({
          to: '/t/$tenant/$project/-/consumers',
          params: { tenant: at.tenant, project: at.project },
          replace: true,
        })
        await refreshConsumers(at.tenant)
      }}
    >
      <p>
        It leaves the list, no comparison names it any more, and its handle "{at.consumer}" becomes free for another.
      </p>
      <p>
        {revisions === 0
          ? 'It never declared anything.'
          : `What it declared is kept: ${revisions === 1 ? 'its one revision' : `all ${revisions} revisions`} can still be read by its id.`}
      </p>
    </Confirmation>
  )
}
