import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Gate, VersionRecord } from '../../../../src/api/versions.ts'
import { linkAddress } from '../../parts/openapi-document.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint, svcCommand } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { Day, Facts, Moment, Section } from '../../parts/page.tsx'
import { readinessQuery, type VersionRef, versionQuery, versionsQuery } from './queries.ts'
import { holds, identityQuery } from '../../session.ts'
import { GateList } from './gate-list.tsx'
import { later } from '../../parts/later.tsx'
import { DeleteDraftWindow, RetireWindow } from './publish-windows.tsx'

const PublishForm = later('the form', async () => (await import('./publish-forms.tsx')).PublishForm)
const VisibilityForm = later('the form', async () => (await import('./publish-forms.tsx')).VisibilityForm)
const DeprecateForm = later('the form', async () => (await import('./publish-forms.tsx')).DeprecateForm)

/** Which view of the version shows what a gate looked at. */
const evidence = {
  'document-valid': 'findings',
  'unresolved-refs': 'findings',
  'lint-grade': 'findings',
  'lint-findings': 'findings',
  'breaking-guardrail': 'changes',
  'semver-consistent': 'changes',
  compat: 'changes',
  'consumer-impact': 'consumers',
} as const

const views = {
  findings: { to: '/t/$tenant/$project/$version/findings', name: 'Lint report' },
  changes: { to: '/t/$tenant/$project/$version/changes', name: 'Changes' },
  consumers: { to: '/t/$tenant/$project/-/consumers', name: 'Consumers' },
} as const

const Evidence = ({ at, gate }: { at: VersionRef; gate: Gate }) => {
  const view = gate.id in evidence ? views[evidence[gate.id as keyof typeof evidence]] : null
  const spoken = <span className="sr-only">, the evidence for {gate.id}</span>
  // A gate that had nothing to look at names no evidence.
  if (gate.evidence_url === null) return null
  if (view)
    return (
      <Link to={view.to} params={{ ...at }} className="link text-sm">
        {view.name}
        {spoken}
      </Link>
    )
  const address = linkAddress(gate.evidence_url)
  return address ? (
    <a className="link text-sm" href={address}>
      Evidence{spoken}
    </a>
  ) : null
}

const Draft = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const readiness = useQuery(readinessQuery(at))
  const identity = useQuery(identityQuery)
  const { dialog, open, close } = useAddress()
  const may = holds(identity.data, at.tenant, 'versions:publish')
  const mayForce = holds(identity.data, at.tenant, 'versions:publish_force')
  const mayDelete = holds(identity.data, at.tenant, 'versions:edit')
  const failing = readiness.data?.gates.filter((it) => it.status === 'fail') ?? []
  const ready = readiness.data?.ready ?? false
  // A document that is not valid stays a draft whatever the reason.
  const forcible = !ready && mayForce && failing.length > 0 && failing.every((it) => it.id !== 'document-valid')
  const command = svcCommand(at.tenant, ['version', 'publish', at.project, at.version])
  return (
    <>
      <Section
        title={readiness.data ? (ready ? 'Ready to publish' : 'Not ready to publish') : 'Gates'}
        actions={<CommandHint command={command} />}
      >
        <Read query={readiness} what="the gates">
          {({ gates }) => (
            <>
              <GateList gates={gates} evidence={(gate) => <Evidence at={at} gate={gate} />} />
              {may ? (
                <div className="flex flex-wrap items-center gap-3">
                  <Button look="primary" disabled={!ready} onClick={() => open('publish')}>
                    Publish …
                  </Button>
                  {forcible ? (
                    <Button look="danger" onClick={() => open('force')}>
                      Force publish …
                    </Button>
                  ) : null}
                </div>
              ) : (
                <p className="text-soft">Publishing needs the role Editor, Admin or Owner.</p>
              )}
              {may && !ready && !mayForce ? (
                <p className="text-soft">An Owner or Admin can force publish it with a reason.</p>
              ) : null}
            </>
          )}
        </Read>
      </Section>
      {mayDelete ? (
        <div>
          <Button look="danger" onClick={() => open('delete')}>
            Delete the draft …
          </Button>
        </div>
      ) : null}
      <Window open={dialog === 'publish' && ready && may} onClose={close} title={`Publish ${record.label}?`}>
        <PublishForm at={at} record={record} failing={[]} onClose={close} />
      </Window>
      <Window open={dialog === 'force' && forcible} onClose={close} title={`Force publish ${record.label}?`}>
        <PublishForm at={at} record={record} failing={failing} onClose={close} />
      </Window>
      <DeleteDraftWindow at={at} open={dialog === 'delete' && mayDelete} onClose={close} />
    </>
  )
}

const Published = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const identity = useQuery(identityQuery)
  const { dialog, open, close } = useAddress()
  const may = holds(identity.data, at.tenant, 'versions:publish')
  const siblings = useQuery({ ...versionsQuery(at.tenant, at.project), enabled: dialog === 'deprecate' })
  const others = (siblings.data?.items ?? []).filter((it) => it.id !== record.id && it.status === 'published')
  const { status } = record
  return (
    <Section title={`This version is ${status}`}>
      <div className="card p-4">
        <Facts
          facts={[
            ['Visible to', record.visibility === 'public' ? 'everyone' : 'members of the organization'],
            ['Published', record.published_at ? <Moment key="published" at={record.published_at} exact /> : null],
            ['Deprecated', record.deprecated_at ? <Moment key="deprecated" at={record.deprecated_at} exact /> : null],
            ['Served until', record.sunset_at ? <Day key="sunset" at={record.sunset_at} /> : null],
            ['Replaced by', record.replacement],
            [
              'Digest',
              <span key="digest" className="font-mono text-xs break-all">
                {record.digest}
              </span>,
            ],
          ]}
        />
      </div>
      {may ? (
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => open('visibility')}>Change visibility …</Button>
          {status === 'published' ? <Button onClick={() => open('deprecate')}>Deprecate …</Button> : null}
          {status === 'published' || status === 'deprecated' ? (
            <Button look="danger" onClick={() => open('retire')}>
              Retire …
            </Button>
          ) : null}
        </div>
      ) : null}
      <Window open={dialog === 'visibility' && may} onClose={close} title={`Visibility of ${record.label}`}>
        <VisibilityForm at={at} record={record} onClose={close} />
      </Window>
      <Window
        open={dialog === 'deprecate' && may && status === 'published'}
        onClose={close}
        title={`Deprecate ${record.label}?`}
      >
        <DeprecateForm at={at} others={others} onClose={close} />
      </Window>
      <RetireWindow at={at} open={dialog === 'retire' && may && status !== 'retired'} onClose={close} />
    </Section>
  )
}

/** The gates of publishing, and the steps from draft to retired that the reader may take. */
export const PublishingView = ({ at }: { at: VersionRef }) => {
  const version = useQuery(versionQuery(at))
  return (
    <div className="grid gap-5">
      <Read query={version} what="the version">
        {(record) =>
          record.status === 'draft' ? <Draft at={at} record={record} /> : <Published at={at} record={record} />
        }
      </Read>
    </div>
  )
}
