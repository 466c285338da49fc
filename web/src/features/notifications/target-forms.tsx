import { useState } from 'react'
import { chatServices, type NotificationTarget } from '../../../../src/api/notification-targets.ts'
import type { NotificationType } from '../../../../src/api/notifications.ts'
import { CheckField, Field, Form, SelectField, useForm } from '../../parts/form.tsx'
import { ProjectsChoice } from '../catalog/pickers.tsx'
import { addChat, serviceNames, setRule, updateTarget } from './target-queries.ts'

const urlHint =
  'Make an incoming webhook in the chat and give its https address here. It is a secret: it is stored encrypted and never shown again.'

/** Adds a channel of a chat. */
export const AddChat = ({ tenant, may, onClose }: { tenant: string; may: boolean; onClose: () => void }) => {
  const [service, setService] = useState<(typeof chatServices)[number]>('slack')
  const [isShared, setShared] = useState(false)
  const form = useForm({ name: '', url: '' }, async ({ name, url }) => {
    await addChat(tenant, { name, service, url, ...(isShared ? { owner: 'organization' as const } : {}) })
    onClose()
  })
  return (
    <Form change={form} submit="Add" onCancel={onClose}>
      <SelectField
        label="Chat"
        value={service}
        options={chatServices.map((value) => ({ value, name: serviceNames[value] }))}
        onChange={setService}
      />
      <Field label="Name" required maxLength={100} hint="What you call the channel, as #apis." {...form.bind('name')} />
      <Field
        label="Address of the webhook"
        type="url"
        required
        autoComplete="off"
        hint={urlHint}
        {...form.bind('url')}
      />
      {may ? (
        <CheckField checked={isShared} onChange={setShared}>
          For the organization: news of all projects, whomever they concern
        </CheckField>
      ) : null}
      <p className="text-sm text-soft">Nothing goes there before you tick news in the table.</p>
    </Form>
  )
}

/** Changes the name or the address of a chat. */
export const EditChat = ({
  tenant,
  target,
  onClose,
}: {
  tenant: string
  target: NotificationTarget
  onClose: () => void
}) => {
  const form = useForm({ name: target.name, url: '' }, async ({ name, url }) => {
    await updateTarget(tenant, target.id, { name, ...(url === '' ? {} : { url }) })
    onClose()
  })
  return (
    <Form change={form} submit="Save" onCancel={onClose}>
      <Field label="Name" required maxLength={100} {...form.bind('name')} />
      <Field
        label="New address of the webhook"
        type="url"
        autoComplete="off"
        hint={`Empty: the present one at ${target.host ?? ''} stays.`}
        {...form.bind('url')}
      />
    </Form>
  )
}

/** Limits a rule to projects and tags. */
export const LimitRule = ({
  tenant,
  target,
  type,
  onClose,
}: {
  tenant: string
  target: NotificationTarget
  type: NotificationType
  onClose: () => void
}) => {
  const rule = target.rules.find((one) => one.type === type)
  const [projects, setProjects] = useState<readonly string[]>((rule?.projects ?? []).map(({ slug }) => slug))
  const form = useForm({ tags: (rule?.tags ?? []).join(' ') }, async ({ tags }) => {
    await setRule(tenant, target.id, type, { projects, tags: tags.split(/[\s,]+/).filter(Boolean) })
    onClose()
  })
  return (
    <Form change={form} submit="Save" onCancel={onClose}>
      <p className="text-sm text-soft">
        Only news of these projects, and of projects with one of these tags. Without both: news of all projects.
      </p>
      <ProjectsChoice tenant={tenant} label="Project" chosen={projects} onChange={setProjects} />
      <Field label="Tags" hint="Separated by spaces." autoCapitalize="none" {...form.bind('tags')} />
    </Form>
  )
}
