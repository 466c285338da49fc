import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Gate, VersionRecord } from '../../../../src/api/versions.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { AlertWindow, Window } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { Section } from '../../parts/page.tsx'
import { readinessQuery, type VersionRef } from './queries.ts'
import { holds, identityQuery } from '../../session.ts'
import { gateName } from '../style-guides/gate-names.ts'
import { Gates } from './gate-list.tsx'
import { later } from '../../parts/later.tsx'
import { DeleteDraftWindow } from './publish-windows.tsx'

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
export const DraftGates = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
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
    <div id="gates" className="grid scroll-mt-20 grid-cols-[minmax(0,1fr)] gap-5">
      <Section
        title={readiness.data ? (ready ? 'Ready to publish' : 'Not ready to publish') : 'Gates'}
        actions={<CommandHint command={command} />}
      >
        <Read query={readiness} what="the gates">
          {({ gates }) => <Gates gates={gates} evidence={(gate) => <Evidence at={at} gate={gate} />} />}
        </Read>
        <div className="flex flex-wrap items-center gap-3">
          {may && readiness.data ? (
            <Button look="primary" disabled={!ready} onClick={() => open('publish')}>
              Publish …
            </Button>
          ) : null}
          {may && forcible ? (
            <Button look="danger" onClick={() => open('force')}>
              Force publish …
            </Button>
          ) : null}
          {mayDelete ? (
            <span className="sm:ml-auto">
              <Button onClick={() => open('delete')}>Delete the draft …</Button>
            </span>
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
