import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Gate, type VersionRecord, versionsApi } from '../../../../src/api/versions.ts'
import { call } from '../../call.ts'
import { type Baseline, baselineBody } from '../change-reports/queries.ts'
import { Form, type Option, RadioField, TextField, useForm } from '../../parts/form.tsx'
import { allVersionsQuery, versionParams, versionQuery, type VersionRef } from '../catalog/versions.ts'
import { later } from '../../parts/later.tsx'
import { BaselineField } from '../change-reports/baseline-field.tsx'
import { queryClient } from '../../query-client.ts'
import { gateName } from '../catalog/gates.tsx'
import { PublishSummary } from './publish-summary.tsx'

const ReportPreview = later(
  'the preview',
  async () => (await import('../change-reports/report-preview.tsx')).ReportPreview,
)

interface Given {
  readonly at: VersionRef
  readonly onClose: () => void
}

type Visibility = VersionRecord['visibility']
const visibilityOptions: readonly Option<Visibility>[] = [
  { value: 'private', name: 'Members of the organization', detail: 'Private.' },
  { value: 'public', name: 'Everyone', detail: 'Anyone who can reach this service can read it without signing in.' },
]

const VisibilityField = ({ value, onChange }: { value: Visibility; onChange: (value: Visibility) => void }) => (
  <RadioField legend="Visible to" value={value} options={visibilityOptions} onChange={onChange} />
)

/** The baseline of the change report, and a preview of it. */
const ReportField = ({
  at,
  record,
  value,
  onChange,
}: {
  at: VersionRef
  record: VersionRecord
  value: Baseline
  onChange: (value: Baseline) => void
}) => {
  const versions = useQuery(allVersionsQuery(at.tenant, at.project))
  const [shown, setShown] = useState(false)
  const others = versions.data?.items.filter((it) => it.status !== 'draft' && it.id !== record.id)
  // The first publication has nothing to be compared with.
  if (others?.length === 0) return null
  return (
    <>
      <BaselineField value={value} versions={others ?? []} onChange={onChange} />
      <details onToggle={(event) => setShown(event.currentTarget.open)}>
        <summary className="w-fit cursor-pointer text-sm">Preview the release notes</summary>
        {shown ? (
          <div
            className="mt-2 max-h-80 overflow-auto rounded-lg border p-3"
            tabIndex={0}
            role="group"
            aria-label="Preview of the release notes"
          >
            <ReportPreview at={at} baseline={value} />
          </div>
        ) : null}
      </details>
    </>
  )
}

/** Publishes the very content that was looked at; by force with a reason, past the gates that may be skipped. */
export const PublishForm = ({
  at,
  onClose,
  record,
  failing,
}: Given & {
  record: VersionRecord
  /** The gates that are skipped by force; none: it is ready. */
  failing: readonly Gate[]
}) => {
  const force = failing.length > 0
  const navigate = useNavigate()
  const [baseline, setBaseline] = useState<Baseline>({ mode: 'auto', revision: '' })
  const form = useForm({ visibility: record.visibility, reason: '' }, async ({ visibility, reason }) => {
    await call(versionsApi.publish, {
      params: versionParams(at),
      body: {
        visibility,
        expected_digest: record.digest,
        ...(force ? { force: true, force_reason: reason } : {}),
        ...baselineBody(baseline),
      },
    })
    // The page of what was published reads the version anew: for it, a draft is not there yet.
    await queryClient.invalidateQueries({ queryKey: versionQuery(at).queryKey, refetchType: 'none' })
    await navigate({ to: '/t/$tenant/$project/$version/published', params: { ...at } })
    await queryClient.invalidateQueries()
  })
  return (
    <Form
      change={form}
      submit={force ? 'Force publish' : 'Publish'}
      look={force ? 'danger' : 'primary'}
      onCancel={onClose}
    >
      <p className="text-soft">The content cannot be changed after publishing.</p>
      <PublishSummary at={at} record={record} />
      {force ? (
        <>
          <p>These gates fail and will be skipped:</p>
          <ul className="grid gap-1 text-sm">
            {failing.map((gate) => (
              <li key={gate.id}>
                <span className="font-medium text-danger">{gateName(gate.id)}:</span> {gate.message}
              </li>
            ))}
          </ul>
          <TextField
            label="Reason"
            required
            maxLength={2000}
            hint="Recorded in the audit trail with your name."
            {...form.bind('reason', 'force_reason')}
          />
        </>
      ) : null}
      <VisibilityField value={form.values.visibility} onChange={(visibility) => form.set({ visibility })} />
      <ReportField at={at} record={record} value={baseline} onChange={setBaseline} />
    </Form>
  )
}

/** Changes who reads a version; of one that is published it holds at once. */
export const VisibilityForm = ({ at, onClose, record }: Given & { record: VersionRecord }) => {
  const form = useForm({ visibility: record.visibility }, async (body) => {
    await call(versionsApi.update, { params: versionParams(at), body })
    await queryClient.invalidateQueries()
    onClose()
  })
  return (
    <Form
      change={form}
      submit="Change visibility"
      disabled={form.values.visibility === record.visibility}
      onCancel={onClose}
    >
      <VisibilityField value={form.values.visibility} onChange={(visibility) => form.set({ visibility })} />
    </Form>
  )
}
