import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Gate, versionsApi } from '../../../src/api/versions.ts'
import { call } from '../call.ts'
import { linkAddress } from '../document.ts'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { CommandHint, shellWord } from '../parts/copy.tsx'
import { Confirmation } from '../parts/dialog.tsx'
import { Failure, Loading } from '../parts/states.tsx'
import { queryClient, readinessQuery, type VersionRef, versionQuery } from '../queries.ts'
import { holds, identityQuery } from '../session.ts'

// What nobody could decide is no pass: it has a word and a colour of its own.
const tones: Record<Gate['status'], Tone> = {
  pass: 'ok',
  warn: 'warn',
  fail: 'danger',
  skipped: 'plain',
  unknown: 'warn',
}

const Gates = ({ gates }: { gates: readonly Gate[] }) => (
  <ul className="card divide-y">
    {gates.map((gate) => (
      <li key={gate.id} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2.5">
        <span className="w-20">
          <Badge tone={tones[gate.status]}>{gate.status}</Badge>
        </span>
        <span className="font-mono text-sm">{gate.id}</span>
        <span className="min-w-0 grow text-soft">{gate.message}</span>
        {linkAddress(gate.evidence_url) ? (
          <a className="link text-sm" href={linkAddress(gate.evidence_url) ?? undefined}>
            Evidence<span className="sr-only"> for {gate.id}</span>
          </a>
        ) : null}
      </li>
    ))}
  </ul>
)

const refresh = (): Promise<void> => queryClient.invalidateQueries()

const PublishForm = ({ at, ready, digest }: { at: VersionRef; ready: boolean; digest: string }) => {
  const [visibility, setVisibility] = useState<'private' | 'public'>('private')
  const [asking, setAsking] = useState(false)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <label className="flex items-center gap-2 text-sm">
        Visible to
        <select
          className="field w-auto"
          value={visibility}
          onChange={(event) => setVisibility(event.target.value === 'public' ? 'public' : 'private')}
        >
          <option value="private">members of the tenant</option>
          <option value="public">everybody</option>
        </select>
      </label>
      <Button look="primary" disabled={!ready} onClick={() => setAsking(true)}>
        Publish …
      </Button>
      <Confirmation
        open={asking}
        onClose={() => setAsking(false)}
        title={`Publish ${at.version}?`}
        action="Publish"
        danger={false}
        onConfirm={async () => {
          await call(versionsApi.publish, {
            params: { tenant_slug: at.tenant, project_ref: at.project, version_ref: at.version },
            body: { visibility, expected_digest: digest },
          })
          await refresh()
        }}
      >
        <p>
          Its content never changes afterwards.{' '}
          {visibility === 'public' ? 'Everybody who can reach this service can read it.' : 'Members can read it.'}
        </p>
      </Confirmation>
    </div>
  )
}

const Ending = ({ at, status }: { at: VersionRef; status: 'published' | 'deprecated' }) => {
  const [asking, setAsking] = useState<'deprecate' | 'retire' | null>(null)
  const params = { tenant_slug: at.tenant, project_ref: at.project, version_ref: at.version }
  return (
    <div className="flex flex-wrap gap-3">
      {status === 'published' ? <Button onClick={() => setAsking('deprecate')}>Deprecate …</Button> : null}
      <Button look="danger" onClick={() => setAsking('retire')}>
        Retire …
      </Button>
      <Confirmation
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={asking === 'retire' ? `Retire ${at.version}?` : `Deprecate ${at.version}?`}
        action={asking === 'retire' ? 'Retire' : 'Deprecate'}
        onConfirm={async () => {
          await (asking === 'retire'
            ? call(versionsApi.retire, { params })
            : call(versionsApi.deprecate, { params, body: {} }))
          await refresh()
        }}
      >
        <p>
          {asking === 'retire'
            ? 'It stays readable, marked as retired, and is no longer "latest". This cannot be taken back.'
            : 'Whoever reads it is told with every answer that it will go away.'}
        </p>
      </Confirmation>
    </div>
  )
}

/** The gates of publishing, and the steps from draft to retired that the reader may take. */
export const PublishingView = ({ at }: { at: VersionRef }) => {
  const version = useQuery(versionQuery(at))
  const readiness = useQuery({ ...readinessQuery(at), enabled: version.data?.status === 'draft' })
  const identity = useQuery(identityQuery)
  const record = version.data
  if (!record) return <Loading what="the version" />
  const may = holds(identity.data, at.tenant, 'versions:publish')
  return (
    <section aria-label="Publishing" className="grid gap-4">
      {record.status === 'draft' ? (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h2 className="font-semibold">
              {readiness.data ? (readiness.data.ready ? 'Ready to publish' : 'Not ready to publish') : 'Gates'}
            </h2>
            <CommandHint
              command={`svc --tenant ${shellWord(at.tenant)} version publish ${shellWord(at.project)} ${shellWord(at.version)}`}
            />
          </div>
          {readiness.isError ? (
            <Failure error={readiness.error} onRetry={() => void readiness.refetch()} />
          ) : readiness.data ? (
            <>
              <Gates gates={readiness.data.gates} />
              {may ? (
                <PublishForm at={at} ready={readiness.data.ready} digest={record.digest} />
              ) : (
                <p className="text-soft">Publishing needs a role that includes it: Editor, Admin or Owner.</p>
              )}
            </>
          ) : (
            <Loading what="the gates" />
          )}
        </>
      ) : (
        <>
          <h2 className="font-semibold">This version is {record.status}</h2>
          <dl className="card grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 p-4 text-sm">
            {(
              [
                ['Published', record.published_at],
                ['Deprecated', record.deprecated_at],
                ['Served until', record.sunset_at],
                ['Replaced by', record.replacement],
                ['Digest', record.digest],
              ] as const
            ).map(([name, value]) =>
              value === null ? null : (
                <div key={name} className="contents">
                  <dt className="text-soft">{name}</dt>
                  <dd className="min-w-0 font-mono text-xs break-all">{value}</dd>
                </div>
              ),
            )}
          </dl>
          {may && (record.status === 'published' || record.status === 'deprecated') ? (
            <Ending at={at} status={record.status} />
          ) : null}
        </>
      )}
    </section>
  )
}
