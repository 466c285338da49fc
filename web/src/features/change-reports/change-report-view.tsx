import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Pencil, Rss } from 'lucide-react'
import { useId, useState } from 'react'
import { type ChangeReport, changeReportsApi } from '../../../../src/api/change-reports.ts'
import type { VersionRecord } from '../../../../src/api/versions.ts'
import { SvcError } from '../../../../src/errors.ts'
import { call } from '../../call.ts'
import {
  adoptReport,
  type Baseline,
  mayEditReport,
  partsOf,
  reportParams,
  reportQuery,
  reportText,
  templatesQuery,
} from './queries.ts'
import { nodeAt, textAt } from '../../parts/openapi-document.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { CopyLater, svcCommand } from '../../parts/copy.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { CheckField, Form, SelectField } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { LongMarkdown } from '../../parts/markdown.tsx'
import { Moment, Section, Toolbar } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { allVersionsQuery, versionQuery, type VersionRef } from '../catalog/versions.ts'
import { holds, identityQuery } from '../../session.ts'
import { BaselineField } from './baseline-field.tsx'
import { ReportPreview } from './report-preview.tsx'
import { ReportEditor } from './report-editor.tsx'
import { actorName, namesQuery } from '../members/queries.ts'

const FeedLink = ({ at }: { at: VersionRef }) => (
  <a
    className="link inline-flex items-center gap-1.5 text-sm"
    href={`/v1/tenants/${encodeURIComponent(at.tenant)}/projects/${encodeURIComponent(at.project)}/changes.atom`}
  >
    <Rss size={14} aria-hidden="true" />
    Atom feed of {at.project}
  </a>
)

/** A draft has no report yet; a preview can be shown. */
const DraftPreview = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const identity = useQuery(identityQuery)
  const versions = useQuery(allVersionsQuery(at.tenant, at.project))
  const [baseline, setBaseline] = useState<Baseline>({ mode: 'auto', revision: '' })
  const may = holds(identity.data, at.tenant, 'versions:publish')
  if (!may)
    return (
      <Empty title="No release notes yet">
        <p>The release notes are written when the version is published.</p>
        <FeedLink at={at} />
      </Empty>
    )
  return (
    <Section
      title="Preview of the release notes"
      description="The release notes are written when the version is published. This preview is not saved."
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
  const change = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      const body = {
        ...(template === '' ? {} : { templateVersionId: template }),
        ...(discard ? { discardUserEdits: true } : {}),
      }
      adoptReport(at, await call(changeReportsApi.regenerate, { params: reportParams(at), body }))
      onClose()
    },
  })
  return (
    <Read query={templates} what="the templates">
      {(items) => (
        <Form change={change} submit="Regenerate" look={discard ? 'danger' : 'primary'} onCancel={onClose}>
          <p className="text-soft">
            The report is generated again from both versions and the current consumer declarations.
          </p>
          <SelectField
            label="Template"
            value={template}
            options={[
              { value: '', name: 'Default (project, then organization, then system)' },
              ...items.map((it) => ({
                value: it.id,
                name: `${it.name}, version ${it.version} (${it.scope})${it.id === report.templateVersionId ? ', used now' : ''}`,
              })),
            ]}
            onChange={setTemplate}
          />
          {edited ? (
            <CheckField checked={discard} onChange={setDiscard}>
              Discard the edits
              <span className="block text-sm text-soft">
                Otherwise readers keep seeing the edited text until the edits are cleared.
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
  if (from === null) return <>First release, {to}</>
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
          {report.regeneratedAt === null ? 'Generated' : 'Regenerated'} <Moment at={report.renderedAt} />
        </span>
      )}
      {report.editedAt === null ? null : (
        <>
          <Badge tone="info">edited</Badge>
          <span>
            {written.map((it) => it.name.toLowerCase()).join(', ')} edited by {actorName(report.editedBy, names.data)},{' '}
            <Moment at={report.editedAt} />
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
      Only its author, an Owner or an Admin can edit the report. {record.label} was created by{' '}
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
        <p className="text-sm wrap-anywhere">
          <FromTo at={at} report={report} />
        </p>
        <div className="flex flex-wrap items-center gap-2">
          {may ? (
            <>
              <Button look="primary" onClick={() => filter({ edit: 'yes' })}>
                <Pencil size={15} aria-hidden="true" />
                Edit
              </Button>
              <Button onClick={() => open('regenerate')}>Regenerate …</Button>
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
            Edited
          </button>
          <button
            type="button"
            aria-pressed={asRendered}
            className={buttonClass(asRendered ? 'plain' : 'quiet')}
            onClick={() => setAsRendered(true)}
          >
            Generated
          </button>
        </div>
      ) : null}
      <article className="card p-5">
        <LongMarkdown text={reportText(report, asRendered)} />
      </article>
      <Toolbar>
        <FeedLink at={at} />
        <CommandHint command={svcCommand(at.tenant, ['change-report', 'show', at.project, at.version])} />
      </Toolbar>
      <Window open={dialog === 'regenerate' && may} onClose={close} title="Regenerate the report">
        <Regenerate at={at} report={report} onClose={close} />
      </Window>
      <DangerConfirmation
        open={dialog === 'clear' && may && edited}
        onClose={close}
        title="Clear the edits?"
        action="Clear edits"
        onConfirm={async () => {
          adoptReport(at, await call(changeReportsApi.edit, { params: reportParams(at), body: { clearEdits: true } }))
          setAsRendered(false)
        }}
      >
        <p>Readers see the generated text again. The edits are deleted. This cannot be undone.</p>
      </DangerConfirmation>
    </>
  )
}

const Published = ({ at, record, editing }: { at: VersionRef; record: VersionRecord; editing: boolean }) => {
  const report = useQuery(reportQuery(at))
  const identity = useQuery(identityQuery)
  if (report.error instanceof SvcError && report.error.code === 'change-report-not-found')
    return (
      <Empty title="No release notes">
        <p>This version was published before there were release notes.</p>
        <Link to="/t/$tenant/$project/$version/changes" params={{ ...at }} className="link">
          See what changed
        </Link>
      </Empty>
    )
  return (
    <Read query={report} what="the release notes">
      {(shown) =>
        editing && mayEditReport(identity.data, at.tenant, record) ? (
          <ReportEditor at={at} report={shown} />
        ) : (
          <Reader at={at} record={record} report={shown} />
        )
      }
    </Read>
  )
}

/** The change report of a published version, or a preview for a draft. */
export const ChangeReportView = ({ at, editing }: { at: VersionRef; editing: boolean }) => {
  const version = useQuery(versionQuery(at))
  return (
    <section aria-label="Release notes" className="grid grid-cols-[minmax(0,1fr)] gap-4">
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
