import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ImpactedVersion, PrimitiveImpact } from '../../../../src/api/primitive-impact-shapes.ts'
import { Badge } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'
import { SmallJson } from '../../parts/json.tsx'
import { Read } from '../../parts/listing.tsx'
import { Words } from '../../parts/page.tsx'
import { directionWords, hasEnded, impactWords, isJob, verdictNames, verdictTones } from './impact.ts'
import { impactJobQuery, impactQuery, type TypeAt } from './queries.ts'
import type { SchemaValue } from './schema-text.ts'

const mostChanges = 3
const mostListed = 50

const Version = ({ tenant, version }: { tenant: string; version: ImpactedVersion }) => (
  <li className="grid gap-1 px-3 py-2">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Link
        to="/t/$tenant/$project/$version"
        params={{ tenant, project: version.project, version: version.version }}
        target="_blank"
        className="link min-w-0 wrap-anywhere"
      >
        {version.project} {version.version}
        <span className="sr-only"> (opens in a new tab)</span>
      </Link>
      <Badge tone={verdictTones[version.verdict]}>{verdictNames[version.verdict]}</Badge>
      <Badge>{version.status}</Badge>
      <span className="text-sm text-soft">{directionWords(version)}</span>
    </div>
    {version.consumers.length === 0 ? null : (
      <p className="text-sm wrap-anywhere">Breaks the consumers {version.consumers.join(', ')}.</p>
    )}
    {version.verdict === 'safe' ? null : (
      <details className="text-sm">
        <summary className="w-fit cursor-pointer text-soft">
          {count(version.operations.length, 'operation', 'operations')}
          <span className="sr-only">
            {' '}
            of {version.project} {version.version}
          </span>
        </summary>
        <ul className="mt-1 grid gap-1 pl-3">
          {version.changes.slice(0, mostChanges).map((change) => (
            <li key={change.fingerprint} className="wrap-anywhere">
              <Words of={change.message} />
            </li>
          ))}
          {version.operations.slice(0, 10).map((operation) => (
            <li key={operation} className="font-mono text-xs break-all text-soft">
              {operation}
            </li>
          ))}
        </ul>
        {version.witness === null || version.witness === undefined ? null : (
          <div className="mt-1 grid gap-1">
            <p className="text-xs text-soft">Counterexample</p>
            <SmallJson
              value={(version.witness as { value?: unknown }).value ?? version.witness}
              label={`Counterexample for ${version.project} ${version.version}`}
            />
          </div>
        )}
      </details>
    )}
  </li>
)

const tones = {
  breaking: 'border-transparent bg-danger-wash',
  unknown: 'border-transparent bg-warn-wash',
  safe: 'border-ok bg-ok-wash text-ok',
} as const

/** Which versions, operations, consumers and types a new schema reaches, the worst first. */
const Found = ({ tenant, impact }: { tenant: string; impact: PrimitiveImpact }) => {
  const { versions, primitives, not_considered: left } = impact
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p
        role="status"
        className={`card px-4 py-3 font-medium ${impact.counts.versions === 0 ? '' : tones[impact.verdict]}`}
      >
        {impactWords(impact)}
      </p>
      {versions.length === 0 ? null : (
        <ul className="card max-h-80 divide-y overflow-auto" aria-label="Affected versions" tabIndex={0}>
          {versions.slice(0, mostListed).map((it) => (
            <Version key={it.version_id} tenant={tenant} version={it} />
          ))}
          {versions.length > mostListed ? (
            <li className="px-3 py-2 text-sm text-soft">
              {count(impact.counts.versions - mostListed, 'version', 'versions')} more
            </li>
          ) : null}
        </ul>
      )}
      {primitives.length === 0 ? null : (
        <details className="text-sm">
          <summary className="w-fit cursor-pointer">{count(primitives.length, 'type', 'types')} that use it</summary>
          <ul className="mt-1 grid gap-1" aria-label="Types that use it">
            {primitives.slice(0, mostListed).map((primitive) => (
              <li key={primitive.id} className="flex flex-wrap items-center gap-2">
                <code className="min-w-0 font-mono text-xs break-all">{primitive.ref}</code>
                <Badge tone={verdictTones[primitive.verdict]}>
                  {primitive.verdict === 'safe' ? 'safe' : verdictNames[primitive.verdict]}
                </Badge>
              </li>
            ))}
          </ul>
        </details>
      )}
      {left.length === 0 ? null : (
        <details className="text-sm">
          <summary className="w-fit cursor-pointer text-warn">
            Not considered: {count(left.length, 'version or type', 'versions or types')}
          </summary>
          <ul className="mt-1 grid gap-1">
            {left.slice(0, mostListed).map((it) => (
              <li key={it.name} className="wrap-anywhere">
                {it.name}: {it.reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

/** An impact that a job calculates: how far it is, then what it found. */
const Working = ({
  tenant,
  job,
  children,
}: {
  tenant: string
  job: string
  children: (impact: PrimitiveImpact) => ReactNode
}) => {
  const read = useQuery(impactJobQuery(tenant, job))
  return (
    <Read query={read} what="the impact">
      {({ impact, progress, error, ...job }) => {
        if (impact) return children(impact)
        if (hasEnded(job))
          return (
            <p role="alert" className="card border-danger px-4 py-3 text-danger">
              The impact could not be calculated{error ? `: ${error.message}` : '.'}
            </p>
          )
        return (
          <div className="grid gap-2">
            <p role="status">
              Comparing {progress.done.toLocaleString()} of {progress.total.toLocaleString()} versions …
            </p>
            <progress
              className="meter text-accent"
              aria-label="Versions compared"
              value={progress.done}
              max={Math.max(1, progress.total)}
            />
          </div>
        )
      }}
    </Read>
  )
}

/** What a new schema of a type breaks, calculated when this is opened. */
export const ImpactView = ({ at, schema }: { at: TypeAt; schema: SchemaValue }) => {
  const asked = useQuery(impactQuery(at, schema))
  return (
    <Read query={asked} what="the impact">
      {(answer) =>
        isJob(answer) ? (
          <Working tenant={at.tenant} job={answer.job_id}>
            {(impact) => <Found tenant={at.tenant} impact={impact} />}
          </Working>
        ) : (
          <Found tenant={at.tenant} impact={answer} />
        )
      }
    </Read>
  )
}
