import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { StyleGuideOut } from '../../../../src/api/style-guide-shapes.ts'
import { styleGuidesApi } from '../../../../src/api/style-guides.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Confirmation, DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { Field, Form, SelectField, TextField, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { guideParams } from '../lint/queries.ts'
import { assignmentsQuery, guidesQuery, refreshGuides } from './queries.ts'
import { restorable, sayDeleted } from '../bin/undo.ts'

interface Given {
  readonly tenant: string
  readonly onClose: () => void
}

/** A new guide: from the recommended rules, or with everything that another one has. */
export const CreateGuide = ({ tenant, source, onClose }: Given & { source: StyleGuideOut | undefined }) => {
  const navigate = useNavigate()
  const guides = useQuery(guidesQuery(tenant))
  const form = useForm(
    { name: source ? `${source.name.replace(/^.*:/, '')} copy` : '', description: '', from: source?.id ?? '' },
    async ({ name, description, from }) => {
      const made = await call(styleGuidesApi.create, {
        params: { tenant_slug: tenant },
        body: { name, description, ...(from === '' ? {} : { sourceGuideId: from }) },
      })
      await navigate({ to: '/t/$tenant/-/style-guides/$guide', params: { tenant, guide: made.id } })
      await refreshGuides(tenant)
    },
  )
  return (
    <Read query={guides} what="the guides">
      {({ items }) => (
        <Form change={form} submit="Create" onCancel={onClose}>
          <Field label="Name" required maxLength={100} {...form.bind('name')} />
          <TextField label="Description (optional)" maxLength={2000} {...form.bind('description')} />
          <SelectField
            label="Start from"
            hint="Rules, custom rules and severities are copied; policy and assignments are not."
            value={form.values.from}
            options={[
              { value: '', name: 'The recommended rules' },
              ...items.map((it) => ({ value: it.id, name: `Copy of ${it.name}` })),
            ]}
            onChange={(from) => form.set({ from })}
          />
        </Form>
      )}
    </Read>
  )
}

const RenameGuide = ({ tenant, guide, onClose }: Given & { guide: StyleGuideOut }) => {
  const form = useForm({ name: guide.name, description: guide.description }, async (body) => {
    await call(styleGuidesApi.update, { params: guideParams({ tenant, guide: guide.id }), body })
    await refreshGuides(tenant)
    onClose()
  })
  return (
    <Form change={form} submit="Save" onCancel={onClose}>
      <Field label="Name" required maxLength={100} {...form.bind('name')} />
      <TextField label="Description" maxLength={2000} {...form.bind('description')} />
    </Form>
  )
}

/** The projects that lose their guide with it; the first few by name. */
const AssignedProjects = ({ tenant, guide }: { tenant: string; guide: StyleGuideOut }) => {
  const assignments = useQuery(assignmentsQuery(tenant, guide.id, '', 0))
  const own = (assignments.data?.items ?? []).filter((it) => it.reason === 'assignment').map((it) => it.projectSlug)
  if (own.length === 0) return null
  const named = own.slice(0, 8).join(', ')
  return (
    <span className="font-mono text-xs break-words">
      {' '}
      ({own.length < guide.assignments || own.length > 8 ? `${named} …` : named})
    </span>
  )
}

const Consequences = ({ tenant, guide }: { tenant: string; guide: StyleGuideOut }) => (
  <ul className="grid list-disc gap-1.5 pl-5">
    <li>
      {guide.assignments === 0 ? (
        'No projects are assigned to it.'
      ) : (
        <>
          {count(guide.assignments, 'project loses its assignment', 'projects lose their assignment')}
          <AssignedProjects tenant={tenant} guide={guide} />. The default guide applies to them instead.
        </>
      )}
    </li>
    <li>
      {guide.isDefault
        ? 'It is the default guide: svc:recommended becomes the default.'
        : 'The default guide does not change.'}
    </li>
    <li>Its custom rules and policy are deleted with it; its snapshots are kept. {restorable}</li>
  </ul>
)

/** The dialogs about one guide, wherever they are opened. */
export const GuideDialogs = ({
  tenant,
  guide,
  may,
  onDeleted,
}: {
  tenant: string
  guide: StyleGuideOut | undefined
  may: boolean
  onDeleted?: () => Promise<void>
}) => {
  const { dialog, close } = useAddress()
  const at = { tenant, guide: guide?.id ?? '' }
  const own = may && guide !== undefined && !guide.builtin
  return (
    <>
      <Window open={dialog === 'rename' && own} onClose={close} title={`Rename ${guide?.name ?? ''}`}>
        {guide ? <RenameGuide tenant={tenant} guide={guide} onClose={close} /> : null}
      </Window>
      <Confirmation
        open={dialog === 'default' && may && guide !== undefined && !guide.isDefault}
        onClose={close}
        title={`Make ${guide?.name ?? ''} the default?`}
        action="Make default"
        onConfirm={async () => {
          await call(styleGuidesApi.makeDefault, { params: guideParams(at) })
          await refreshGuides(tenant)
        }}
      >
        <p>
          It applies immediately to every project without an assigned guide: lint reports, gates and imports. The Impact
          tab shows which grades change.
        </p>
      </Confirmation>
      <DangerConfirmation
        open={dialog === 'delete' && own}
        onClose={close}
        title={`Delete ${guide?.name ?? ''}?`}
        action="Delete the guide"
        onConfirm={async () => {
          await call(styleGuidesApi.remove, { params: guideParams(at) })
          await onDeleted?.()
          sayDeleted(tenant, at.guide, `The style guide ${guide?.name ?? ''}`)
          await refreshGuides(tenant)
        }}
      >
        {guide ? <Consequences tenant={tenant} guide={guide} /> : null}
      </DangerConfirmation>
    </>
  )
}
