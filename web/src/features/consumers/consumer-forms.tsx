import { useNavigate } from '@tanstack/react-router'
import type { ConsumerRecord } from '../../../../src/api/consumer-shapes.ts'
import { consumersApi } from '../../../../src/api/consumers.ts'
import { call } from '../../call.ts'
import { consumerParams, type ConsumerRef, refreshConsumers } from './queries.ts'
import { DangerConfirmation } from '../../parts/dialog.tsx'
import { slugOf } from '../../parts/text.ts'
import { Field, Form, TextField, useForm } from '../../parts/form.tsx'
import { restorable, sayDeleted } from '../bin/undo.ts'

const detailsOf = (values: { description: string; owner: string; contact: string }) => ({
  description: values.description.trim() || null,
  owner: values.owner.trim() || null,
  contact: values.contact.trim() || null,
})

type Bind = ReturnType<typeof useForm<Record<'name' | 'description' | 'owner' | 'contact', string>>>['bind']

const Details = ({ bind }: { bind: (name: 'description' | 'owner' | 'contact') => ReturnType<Bind> }) => (
  <>
    <TextField label="Description (optional)" maxLength={4000} {...bind('description')} />
    <Field label="Owner (optional)" maxLength={4000} hint="The responsible team." {...bind('owner')} />
    <Field label="Contact (optional)" maxLength={4000} hint="How to reach the owner." {...bind('contact')} />
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
  const derived = slugOf(form.values.name)
  return (
    <Form change={form} submit="Register" onCancel={onClose}>
      <Field label="Name" required maxLength={200} {...form.bind('name')} />
      <Field
        label="Handle (optional)"
        pattern="[a-z0-9]+([.\-][a-z0-9]+)*"
        maxLength={100}
        spellCheck={false}
        placeholder={derived}
        hint={`Used in addresses and commands. It cannot be changed later.${derived === '' ? '' : ` Default: "${derived}".`}`}
        {...form.bind('handle')}
      />
      <Details bind={form.bind} />
    </Form>
  )
}

const parseMetadata = (text: string): Record<string, unknown> => {
  const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('The metadata must be a JSON object, such as {"tier": "gold"}.')
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
        hint="A JSON object with anything you want to keep, such as a link to the repository."
        {...form.bind('metadata')}
      />
    </Form>
  )
}

export const RetireConsumer = ({
  at,
  id,
  name,
  revisions,
  open,
  onClose,
}: {
  at: ConsumerRef
  id: string
  name: string
  revisions: number
  open: boolean
  onClose: () => void
}) => {
  const navigate = useNavigate()
  return (
    <DangerConfirmation
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
        sayDeleted(at.tenant, id, `The consumer ${name}`, 'was retired')
        await refreshConsumers(at.tenant)
      }}
    >
      <p>
        It is removed from the list and from comparisons, and its handle "{at.consumer}" can be used again. {restorable}
      </p>
      <p>
        {revisions === 0
          ? 'It has no revisions.'
          : `${revisions === 1 ? 'Its revision is' : `Its ${revisions} revisions are`} kept and can be read by the consumer's id.`}
      </p>
    </DangerConfirmation>
  )
}
