import { useState } from 'react'
import { type ProjectView, projectViewsApi, type ViewFilter } from '../../../../src/api/project-views.ts'
import { call } from '../../call.ts'
import { Confirmation, DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { CheckField, Field, Form, useForm } from '../../parts/form.tsx'
import { type ProjectFilter, refreshViews } from '../catalog/projects.ts'

interface Given {
  readonly tenant: string
  readonly chosen: ProjectView | null
  readonly filter: ProjectFilter
  readonly mayShare: boolean
  readonly onChoose: (view: ProjectView | null) => void
  readonly onClose: () => void
}

const labels: Readonly<Record<string, string>> = { q: 'Words', sort: 'Sorted by' }

/** What a view holds, in words. */
const Contents = ({ filter }: { filter: ProjectFilter }) => {
  const parts = Object.entries(filter).map(([name, value]) => `${labels[name] ?? name}: ${value}`)
  return <p className="text-sm wrap-anywhere text-soft">{parts.length === 0 ? 'All projects' : parts.join(' · ')}</p>
}

// The address may hold any text: the service refuses what it does not know, with the reason.
const asFilter = (filter: ProjectFilter): ViewFilter => filter as ViewFilter

const shareHint = 'Share it with the organization'

/** Names a view, and says who sees it. */
const ViewForm = ({ tenant, chosen, filter, mayShare, onChoose, onClose }: Given) => {
  const [isShared, setShared] = useState(chosen?.visibility === 'shared')
  const [isDefault, setDefault] = useState(false)
  const form = useForm({ name: chosen?.name ?? '' }, async ({ name }) => {
    const params = { tenant_slug: tenant }
    const visibility = isShared ? 'shared' : 'private'
    const body = { name, visibility } as const
    const saved =
      chosen === null
        ? await call(projectViewsApi.create, { params, body: { ...body, filter: asFilter(filter) } })
        : await call(projectViewsApi.update, { params: { ...params, view_ref: chosen.id }, body })
    if (isDefault) await call(projectViewsApi.setDefault, { params, body: { view: saved.id } })
    await refreshViews(tenant)
    if (chosen === null) onChoose(saved)
    else onClose()
  })
  return (
    <Form change={form} submit="Save" onCancel={onClose}>
      <Contents filter={chosen?.filter ?? filter} />
      <Field label="Name" required maxLength={100} autoComplete="off" {...form.bind('name')} />
      {mayShare ? (
        <CheckField checked={isShared} onChange={setShared}>
          {shareHint}
        </CheckField>
      ) : null}
      {chosen === null ? (
        <CheckField checked={isDefault} onChange={setDefault}>
          Open the list of projects with it
        </CheckField>
      ) : null}
    </Form>
  )
}

const UpdateView = ({
  tenant,
  view,
  filter,
  onClose,
}: {
  tenant: string
  view: NonNullable<Given['chosen']>
  filter: Given['filter']
  onClose: () => void
}) => (
  <Confirmation
    open
    title={`Save the changes of ${view.name}?`}
    action="Save the changes"
    onConfirm={async () => {
      await call(projectViewsApi.update, {
        params: { tenant_slug: tenant, view_ref: view.id },
        body: { filter: asFilter(filter) },
      })
      await refreshViews(tenant)
    }}
    onClose={onClose}
  >
    <p>
      {view.visibility === 'shared'
        ? 'Everybody who uses this view sees the list as it is now:'
        : 'The view shows the list as it is now:'}
    </p>
    <Contents filter={filter} />
  </Confirmation>
)

/** The dialogs about views, by the word that the address has for each. */
export const ViewDialogs = ({ dialog, ...given }: Given & { dialog: string }) => {
  const { tenant, chosen, filter, onChoose, onClose } = given
  const params = { tenant_slug: tenant }
  if (dialog === 'save-view')
    return (
      <Window open onClose={onClose} title="Save a view">
        <ViewForm {...given} chosen={null} />
      </Window>
    )
  if (chosen === null) return null
  const one = { ...params, view_ref: chosen.id }
  if (dialog === 'edit-view')
    return (
      <Window open onClose={onClose} title={`Edit ${chosen.name}`}>
        <ViewForm {...given} />
      </Window>
    )
  if (dialog === 'update-view') return <UpdateView tenant={tenant} view={chosen} filter={filter} onClose={onClose} />
  if (dialog === 'default-view')
    return (
      <Confirmation
        open
        title={chosen.is_default ? `Do not open the list with ${chosen.name}?` : `Open the list with ${chosen.name}?`}
        action={chosen.is_default ? 'Open with all projects' : 'Make it my default'}
        onConfirm={async () => {
          await call(projectViewsApi.setDefault, { params, body: { view: chosen.is_default ? null : chosen.id } })
          await refreshViews(tenant)
        }}
        onClose={onClose}
      >
        <p>This applies to you alone.</p>
      </Confirmation>
    )
  return dialog === 'delete-view' ? (
    <DangerConfirmation
      open
      title={`Delete the view ${chosen.name}?`}
      action="Delete the view"
      onConfirm={async () => {
        await call(projectViewsApi.remove, { params: one })
        await refreshViews(tenant)
        onChoose(null)
      }}
      onClose={onClose}
    >
      <p>
        {chosen.visibility === 'shared' ? 'It is deleted for the whole organization. ' : ''}Its projects stay as they
        are. This cannot be undone.
      </p>
    </DangerConfirmation>
  ) : null
}
