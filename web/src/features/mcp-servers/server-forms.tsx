import { mcpServersApi } from '../../../../src/api/mcp-servers.ts'
import { call } from '../../call.ts'
import { Field, Form, useForm } from '../../parts/form.tsx'
import { refreshServers, serverParams, type ServerRef } from './queries.ts'

interface Given {
  readonly at: ServerRef
  readonly onClose: () => void
}

const labelsIn = (text: string): string[] =>
  text
    .split(',')
    .map((it) => it.trim())
    .filter(Boolean)

/** The labels of a server, in one field. */
export const LabelsForm = ({ at, labels, onClose }: Given & { labels: readonly string[] }) => {
  const form = useForm({ labels: labels.join(', ') }, async (values) => {
    await call(mcpServersApi.update, { params: serverParams(at), body: { labels: labelsIn(values.labels) } })
    await refreshServers(at.tenant)
    onClose()
  })
  return (
    <Form change={form} submit="Save" onCancel={onClose}>
      <Field label="Labels" hint="Separated by commas, for example production, weather." {...form.bind('labels')} />
    </Form>
  )
}

/** The header that observations send; an empty value removes it. */
export const HeaderForm = ({ at, name, onClose }: Given & { name: string }) => {
  const form = useForm({ name: name || 'Authorization', value: '' }, async (values) => {
    const header = values.value === '' ? null : { name: values.name.trim(), value: values.value }
    await call(mcpServersApi.update, { params: serverParams(at), body: { header } })
    await refreshServers(at.tenant)
    onClose()
  })
  return (
    <Form
      change={form}
      submit={form.values.value === '' && name !== '' ? 'Remove the header' : 'Save'}
      onCancel={onClose}
    >
      <Field label="Header" required {...form.bind('name')} />
      <Field
        label="Value"
        type="password"
        autoComplete="off"
        hint="For example “Bearer …”. Kept encrypted, never shown again, and sent to the origin of the address only. Empty: no header is sent."
        {...form.bind('value')}
      />
    </Form>
  )
}
