import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Pencil, Rss } from 'lucide-react'
import { useState } from 'react'
import { type ChangeReport, changeReportsApi } from '../../../../src/api/change-reports.ts'
import type { VersionRecord } from '../../../../src/api/versions.ts'
import { SvcError } from '../../../../src/errors.ts'
import { call } from '../../call.ts'
import { adoptReport, type Baseline, reportParams, reportQuery, templatesQuery } from './queries.ts'
import { textAt, nodeAt } from '../../parts/openapi-document.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CommandHint, CopyLater, svcCommand } from '../../parts/copy.tsx'
import { Confirmation, Window } from '../../parts/dialog.tsx'
import { CheckField, Form, SelectField, useChange } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { Moment, Section, Toolbar } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { allVersionsQuery, type VersionRef, versionQuery } from '../versions/queries.ts'
import { holds, identityQuery } from '../../session.ts'
import { BaselineField } from './baseline-field.tsx'
import { ReportPreview } from './report-preview.tsx'
import { ReportEditor } from './report-editor.tsx'
import { actorName } from '../members/actor.ts'
import { namesQuery } from '../members/queries.ts'
import { mayEditReport, partsOf, reportText } from './report.ts'

const FeedLink = ({ at }: { at: VersionRef }) => (
  <a
    className="link inline-flex items-center gap-1.5 text-sm"
    href={`/v1/tenants/${encodeURIComponent(at.tenant)}/projects/${encodeURIComponent(at.project)}/changes.atom`}
  >
    <Rss size={14} aria-hidden="true" />
    Feed of what {at.project} publishes
  </a>
)

/** A draft tells of nothing yet; what it would tell can be looked at. */
const DraftPreview = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const identity = useQuery(identityQuery)
  const versions = useQuery(allVersionsQuery(at.tenant, at.project))
  const [baseline, setBaseline] = useState<Baseline>({ mode: 'auto', revision: '' })
  const may = holds(identity.data, at.tenant, 'versions:publish')
  if (!may)
    return (
      <Empty title="No change report yet">
        <p>It is written when the version is published.</p>
        <FeedLink at={at} />
      </Empty>
    )
  return (
    <Section
      title="What publishing would tell"
      description="The change report is written when the version is published. Until then nothing of this is kept."
      actions={<FeedLink at={at} />}
    >
      <div className="grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <BaselineField
          value={baseline}
          versions={(versions.data?.items ?? []).filter((it) => it.status !== 'draft' && it.id !== record.id)}
          onChange={setBaseline}
        />
        <div className="card p-4">
          <ReportPreview at={at} baseline={baseline} />
        </div>
      </div>
    </Section>
  )
}

const Regenerate = ({ at, report, onClose }: { at: VersionRef; report: ChangeReport; onClose: () => void }) => {
  const templates = useQuery(templatesQuery(at.tenant, at.project))
  const [template, setTemplate] = useState('')
  const [discard, setDiscard] = useState(false)
  const edited = report.editedAt !== null
  const change = useChange(async () => {
    const body = {
      ...(template === '' ? {} : { templateVersionId: template }),
      ...(discard ? { discardUserEdits: true } : {}),
    }
    adoptReport(at, await call(changeReportsApi.regenerate, { params: reportParams(at), body }))
    onClose()
  })
  return (
    <Read query={templates} what="the templates">
      {(items) => (
        <Form change={change} submit="Render again" look={discard ? 'danger' : 'primary'} onCancel={onClose}>
          <p className="text-soft">It is rendered again from the two versions, with what consumers declare today.</p>
          <SelectField
            label="Template"
            value={template}
            options={[
              { value: '', name: 'The one that applies: of the project, else the tenant, else the system' },
              ...items.map((it) => ({
                value: it.id,
                name: `${it.name}, version ${it.version} (${it.scope})${it.id === report.templateVersionId ? ', used now' : ''}`,
              })),
            ]}
            onChange={setTemplate}
          />
          {edited ? (
            <CheckField checked={discard} onChange={setDiscard}>
              Discard what was written over it
              <span className="block text-sm text-soft">
                Left as it is, the edits stay in front of the new text: readers do not see it until they are cleared.
              </span>
            </CheckField>
          ) : null}
        </Form>
      )}
    </Read>
  )
}

const labelIn = (report: ChangeReport, side: 'from' | 'to'): string | null =>
  textAt(nodeAt(report.changeModelJson, side), 'label')

/** From which version to which, as links, and the way to the comparison. */
const FromTo = ({ at, report }: { at: VersionRef; report: ChangeReport }) => {
  const [from, to] = [labelIn(report, 'from'), labelIn(report, 'to') ?? at.version]
  const place = { tenant: at.tenant, project: at.project }
  if (from === null) return <>First publication, {to}</>
  return (
    <>
      From{' '}
      <Link to="/t/$tenant/$project/$version" params={{ ...place, version: from }} className="link">
        {from}
      </Link>{' '}
      to {to} ·{' '}
      <Link
        to="/t/$tenant/-/compare"
        params={{ tenant: at.tenant }}
        search={{ base: `${at.project}@${from}`, head: `${at.project}@${at.version}` }}
        className="link"
      >
        Every change in detail
      </Link>
    </>
  )
}

const Provenance = ({ at, report }: { at: VersionRef; report: ChangeReport }) => {
  const names = useQuery(namesQuery(at.tenant))
  const written = partsOf(report).filter((it) => it.edited !== null)
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      {report.renderedAt === null ? null : (
        <span>
          {report.regeneratedAt === null ? 'Rendered' : 'Rendered again'} <Moment at={report.renderedAt} exact />
        </span>
      )}
      {report.editedAt === null ? null : (
        <>
          <Badge tone="info">edited</Badge>
          <span>
            {written.map((it) => it.name.toLowerCase()).join(', ')} written over by{' '}
            {actorName(report.editedBy, names.data)}, <Moment at={report.editedAt} exact />
          </span>
        </>
      )}
    </p>
  )
}

const WhyNot = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const names = useQuery(namesQuery(at.tenant))
  return (
    <p className="text-sm text-soft">
      Only who made the version, an Owner or an Admin changes what is told of it. {record.label} was made by{' '}
      {actorName(record.created_by, names.data)}.
    </p>
  )
}

const Reader = ({ at, record, report }: { at: VersionRef; record: VersionRecord; report: ChangeReport }) => {
  const identity = useQuery(identityQuery)
  const { dialog, open, close, filter } = useAddress()
  const [asRendered, setAsRendered] = useState(false)
  const may = mayEditReport(identity.data, at.tenant, record)
  const edited = report.editedAt !== null
  return (
    <>
      <Toolbar>
        <p className="text-sm">
          <FromTo at={at} report={report} />
        </p>
        <div className="flex flex-wrap items-center gap-2">
          {may ? (
            <>
              <Button look="primary" onClick={() => filter({ edit: 'yes' })}>
                <Pencil size={15} aria-hidden="true" />
                Edit
              </Button>
              <Button onClick={() => open('regenerate')}>Render again …</Button>
              {edited ? (
                <Button look="danger" onClick={() => open('clear')}>
                  Clear edits …
                </Button>
              ) : null}
            </>
          ) : null}
          <CopyLater name="Copy as Markdown" read={() => Promise.resolve(reportText(report))} />
        </div>
      </Toolbar>
      <Provenance at={at} report={report} />
      {identity.data && !may ? <WhyNot at={at} record={record} /> : null}
      {edited ? (
        <div role="group" aria-label="Which text" className="flex flex-wrap gap-2">
          <button
            type="button"
            aria-pressed={!asRendered}
            className={buttonClass(asRendered ? 'quiet' : 'plain')}
            onClick={() => setAsRendered(false)}
          >
            As it is told
          </button>
          <button
            type="button"
            aria-pressed={asRendered}
            className={buttonClass(asRendered ? 'plain' : 'quiet')}
            onClick={() => setAsRendered(true)}
          >
            As it was rendered
          </button>
        </div>
      ) : null}
      <article className="card p-5">
        <Markdown text={reportText(report, asRendered)} />
      </article>
      <Toolbar>
        <FeedLink at={at} />
        <CommandHint command={svcCommand(at.tenant, ['change-report', 'show', at.project, at.version])} />
      </Toolbar>
      <Window open={dialog === 'regenerate' && may} onClose={close} title="Render the report again">
        <Regenerate at={at} report={report} onClose={close} />
      </Window>
      <Confirmation
        open={dialog === 'clear' && may && edited}
        onClose={close}
        title="Clear the edits?"
        action="Clear them"
        onConfirm={async () => {
          adoptReport(at, await call(changeReportsApi.edit, { params: reportParams(at), body: { clearEdits: true } }))
          setAsRendered(false)
        }}
      >
        <p>Readers see what was rendered again. What was written over it is gone for good.</p>
      </Confirmation>
    </>
  )
}

const Published = ({ at, record, editing }: { at: VersionRef; record: VersionRecord; editing: boolean }) => {
  const report = useQuery(reportQuery(at))
  const identity = useQuery(identityQuery)
  if (report.error instanceof SvcError && report.error.code === 'change-report-not-found')
    return (
      <Empty title="No change report">
        <p>This version was published before change reports were written.</p>
        <Link to="/t/$tenant/$project/$version/changes" params={{ ...at }} className="link">
          See what changed
        </Link>
      </Empty>
    )
  return (
    <Read query={report} what="the change report">
      {(it) =>
        editing && mayEditReport(identity.data, at.tenant, record) ? (
          <ReportEditor at={at} report={it} />
        ) : (
          <Reader at={at} record={record} report={it} />
        )
      }
    </Read>
  )
}

/** What is told of a published version; of a draft, what would be. */
export const ChangeReportView = ({ at, editing }: { at: VersionRef; editing: boolean }) => {
  const version = useQuery(versionQuery(at))
  return (
    <section aria-label="Change report" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Read query={version} what="the version">
        {(record) =>
          record.status === 'draft' ? (
            <DraftPreview at={at} record={record} />
          ) : (
            <Published at={at} record={record} editing={editing} />
          )
        }
      </Read>
    </section>
  )
}
