import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { type Gate, type VersionRecord, versionsApi } from '../../../../src/api/versions.ts'
import { Read } from '../../parts/listing.tsx'
import { Failure } from '../../parts/states.tsx'
import { AboutSection, LinksSection, OriginSection } from './about-section.tsx'
import {
  assessmentQuery,
  overviewQuery,
  readinessQuery,
  versionParams,
  versionQuery,
  type VersionRef,
} from '../catalog/versions.ts'
import { OperationsSection, PublishVerdict } from './overview-parts.tsx'
import { OverviewStrip } from './overview-strip.tsx'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { AlertWindow, Confirmation, DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { later } from '../../parts/later.tsx'
import { Day, Facts, Moment, Section } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { gateName, Gates } from '../catalog/gates.tsx'
import { call } from '../../call.ts'
import { queryClient } from '../../query-client.ts'
import { restorable, sayDeleted } from '../bin/undo.ts'

interface Given {
  readonly at: VersionRef
  readonly onClose: () => void
}

const RetireWindow = ({ at, onClose, open }: Given & { open: boolean }) => (
  <DangerConfirmation
    open={open}
    onClose={onClose}
    title={`Retire ${at.version}?`}
    action="Retire"
    onConfirm={async () => {
      await call(versionsApi.retire, { params: versionParams(at) })
      await queryClient.invalidateQueries()
    }}
  >
    <p>It stays readable, is marked as retired, and is no longer "latest". This cannot be undone.</p>
  </DangerConfirmation>
)

const UndeprecateWindow = ({ at, onClose, open }: Given & { open: boolean }) => (
  <Confirmation
    open={open}
    onClose={onClose}
    title={`Withdraw the deprecation of ${at.version}?`}
    action="Withdraw"
    onConfirm={async () => {
      await call(versionsApi.undeprecate, { params: versionParams(at) })
      await queryClient.invalidateQueries()
    }}
  >
    <p>The version is published again. Its sunset and its replacement are removed.</p>
  </Confirmation>
)

const DeleteDraftWindow = ({ at, onClose, open }: Given & { open: boolean }) => {
  const navigate = useNavigate()
  return (
    <DangerConfirmation
      open={open}
      onClose={onClose}
      title={`Delete the draft ${at.version}?`}
      action="Delete"
      onConfirm={async () => {
        const draft = await queryClient.ensureQueryData(versionQuery(at))
        await call(versionsApi.remove, { params: versionParams(at) })
        await navigate({ to: '/t/$tenant/$project', params: { tenant: at.tenant, project: at.project }, replace: true })
        sayDeleted(at.tenant, draft.id, `The draft ${draft.label}`)
        await queryClient.invalidateQueries()
      }}
    >
      <p>The draft is deleted with its document, reviews and threads. {restorable}</p>
    </DangerConfirmation>
  )
}

const PublishForm = later('the form', async () => (await import('./publish-forms.tsx')).PublishForm)

/** Which view of the version shows what a gate looked at. */
const evidence = {
  'document-valid': 'findings',
  'unresolved-refs': 'findings',
  'lint-grade': 'findings',
  'lint-findings': 'findings',
  'breaking-guardrail': 'changes',
  'semver-consistent': 'changes',
  compat: 'changes',
  'gateway-impact': 'changes',
  'consumer-impact': 'consumers',
} as const

const views = {
  findings: { to: '/t/$tenant/$project/$version/findings', name: 'Lint report' },
  changes: { to: '/t/$tenant/$project/$version/changes', name: 'Changes' },
  consumers: { to: '/t/$tenant/$project/-/consumers', name: 'Consumers' },
} as const

const Evidence = ({ at, gate }: { at: VersionRef; gate: Gate }) => {
  const view = gate.id in evidence ? views[evidence[gate.id as keyof typeof evidence]] : null
  // A gate that had nothing to look at names no evidence; the evidence of others is data for programs.
  if (gate.evidence_url === null || view === null) return null
  return (
    <Link to={view.to} params={{ ...at }} className="link text-sm">
      {view.name}
      <span className="sr-only">, the evidence for {gateName(gate.id)}</span>
    </Link>
  )
}

/** The gates of publishing a draft, and the steps that the reader may take. */
const DraftGates = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const readiness = useQuery(readinessQuery(at))
  const identity = useQuery(identityQuery)
  const { dialog, open, close } = useAddress()
  const may = holds(identity.data, at.tenant, 'versions:publish')
  const mayForce = holds(identity.data, at.tenant, 'versions:publish_force')
  const mayDelete = holds(identity.data, at.tenant, 'versions:edit')
  const failing = readiness.data?.gates.filter((it) => it.status === 'fail') ?? []
  const ready = readiness.data?.ready ?? false
  const readyTitle = ready ? 'Ready to publish' : 'Not ready to publish'
  // A document that is not valid stays a draft whatever the reason.
  const forcible = !ready && mayForce && failing.length > 0 && failing.every((it) => it.id !== 'document-valid')
  const command = svcCommand(at.tenant, ['version', 'publish', at.project, at.version])
  return (
    <div id="gates" className="grid scroll-mt-20 grid-cols-[minmax(0,1fr)] gap-5">
      <Section title={readiness.data ? readyTitle : 'Gates'} actions={<CommandHint command={command} />}>
        <Read query={readiness} what="the gates">
          {({ gates }) => <Gates gates={gates} evidence={(gate) => <Evidence at={at} gate={gate} />} />}
        </Read>
        <div className="flex flex-wrap items-center gap-3 empty:hidden">
          {may && forcible ? (
            <Button look="danger" onClick={() => open('force')}>
              Force publish …
            </Button>
          ) : null}
        </div>
        {may ? null : <p className="text-soft">Publishing needs the role Editor, Admin or Owner.</p>}
        {may && readiness.data && !ready && !mayForce ? (
          <p className="text-soft">An Owner or Admin can force publish it with a reason.</p>
        ) : null}
      </Section>
      <Window open={dialog === 'publish' && ready && may} onClose={close} title={`Publish ${record.label}?`}>
        <PublishForm at={at} record={record} failing={[]} onClose={close} />
      </Window>
      <AlertWindow open={dialog === 'force' && forcible} onClose={close} title={`Force publish ${record.label}?`}>
        <PublishForm at={at} record={record} failing={failing} onClose={close} />
      </AlertWindow>
      <DeleteDraftWindow at={at} open={dialog === 'delete' && mayDelete} onClose={close} />
    </div>
  )
}

const VisibilityForm = later('the form', async () => (await import('./publish-forms.tsx')).VisibilityForm)
const DeprecateForm = later('the form', async () => (await import('./deprecate-form.tsx')).DeprecateForm)

const Steps = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const { dialog, open, close } = useAddress()
  const { status } = record
  const isLive = status === 'published' || status === 'deprecated'
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => open('visibility')}>Change visibility …</Button>
        {status === 'published' ? <Button onClick={() => open('deprecate')}>Deprecate …</Button> : null}
        {status === 'deprecated' ? (
          <>
            <Button onClick={() => open('deprecate')}>Change the deprecation …</Button>
            <Button onClick={() => open('undeprecate')}>Withdraw the deprecation …</Button>
          </>
        ) : null}
        {isLive ? (
          <Button look="danger" onClick={() => open('retire')}>
            Retire …
          </Button>
        ) : null}
      </div>
      <Window open={dialog === 'visibility'} onClose={close} title={`Visibility of ${record.label}`}>
        <VisibilityForm at={at} record={record} onClose={close} />
      </Window>
      <Window
        open={dialog === 'deprecate' && isLive}
        onClose={close}
        title={status === 'deprecated' ? `Deprecation of ${record.label}` : `Deprecate ${record.label}?`}
      >
        <DeprecateForm at={at} record={record} onClose={close} />
      </Window>
      <UndeprecateWindow at={at} open={dialog === 'undeprecate' && status === 'deprecated'} onClose={close} />
      <RetireWindow at={at} open={dialog === 'retire' && isLive} onClose={close} />
    </>
  )
}

/** The state of a version that is not a draft any more, and the steps that the reader may take. */
const LifecycleSection = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const identity = useQuery(identityQuery)
  const may = holds(identity.data, at.tenant, 'versions:publish')
  return (
    <Section title={`This version is ${record.status}`}>
      <div className="card grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <Facts
          facts={[
            ['Visible to', record.visibility === 'public' ? 'everyone' : 'members of the organization'],
            ['Published', record.published_at ? <Moment key="published" at={record.published_at} /> : null],
            ['Deprecated', record.deprecated_at ? <Moment key="deprecated" at={record.deprecated_at} /> : null],
            ['Served until', record.sunset_at ? <Day key="sunset" at={record.sunset_at} /> : null],
            [
              'Replaced by',
              record.replacement === null ? null : (
                <Link
                  key="replacement"
                  to="/t/$tenant/$project/$version"
                  params={{ tenant: at.tenant, project: at.project, version: record.replacement }}
                  className="link"
                >
                  {record.replacement}
                </Link>
              ),
            ],
          ]}
        />
        {may ? <Steps at={at} record={record} /> : null}
      </div>
    </Section>
  )
}

/** Brings the part into view that the address names, once it is drawn. */
const useFragment = (isDrawn: boolean): void => {
  const { hash } = useLocation()
  useEffect(() => {
    if (isDrawn && hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [isDrawn, hash])
}

const Overview = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const overview = useQuery(overviewQuery(at))
  const assessment = useQuery(assessmentQuery(at))
  const isDraft = record.status === 'draft'
  useFragment(overview.data !== undefined)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {isDraft && assessment.data ? <PublishVerdict at={at} record={record} found={assessment.data} /> : null}
      <OverviewStrip at={at} record={record} overview={overview.data} assessment={assessment} />
      {assessment.error ? <Failure error={assessment.error} onRetry={() => void assessment.refetch()} /> : null}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {isDraft ? <DraftGates at={at} record={record} /> : null}
          {record.operations_count > 0 ? <OperationsSection at={at} total={record.operations_count} /> : null}
          <Read query={overview} what="what the document says">
            {(it) => <AboutSection at={at} overview={it} />}
          </Read>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {isDraft ? null : <LifecycleSection at={at} record={record} />}
          <LinksSection at={at} record={record} />
          <OriginSection at={at} record={record} />
        </div>
      </div>
    </div>
  )
}

/** What a version is, its state, and what to do next. */
export const OverviewView = ({ at }: { at: VersionRef }) => {
  const version = useQuery(versionQuery(at))
  return (
    <Read query={version} what="the version">
      {(record) => <Overview at={at} record={record} />}
    </Read>
  )
}
