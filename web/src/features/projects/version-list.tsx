import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { TimelineVersion } from '../../../../src/api/insights.ts'
import type { VersionRecord } from '../../../../src/api/versions.ts'
import { Badge, Grade, Status } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import { later } from '../../parts/later.tsx'
import { Day, Moment } from '../../parts/page.tsx'
import { GradingNote } from '../catalog/grading.tsx'
import { timelineQuery } from '../catalog/versions.ts'

const noChart = { VersionChart: () => null }
// The library of charts refuses to load where the browser names an unknown language, as with the locale "C".
const VersionChart = later<{ items: readonly TimelineVersion[] }>(
  'the chart',
  async () => (await import('./version-chart.tsx').catch(() => noChart)).VersionChart,
)
/** Fewer make no line. */
const leastOfChart = 3

const dots = { breaking: 'bg-danger', 'non-breaking': 'bg-ok', 'docs-only': 'bg-info' } as const
const steps = { breaking: 'breaking', 'non-breaking': 'safe changes', 'docs-only': 'docs only' } as const

/** The place of a version on the line of all: its colour is the strongest change since the one before. */
const Dot = ({ version, step }: { version: VersionRecord; step: TimelineVersion | undefined }) => {
  const severity = step?.severity ?? null
  const seen = severity === null ? 'bg-edge' : dots[severity]
  const look = version.status === 'draft' ? 'border-2 border-dashed border-edge bg-surface' : seen
  return (
    <span aria-hidden="true" className="relative flex justify-center self-stretch">
      <span className="absolute -inset-y-3 w-px bg-line" />
      <span className={`relative mt-1.5 size-3 rounded-full ring-4 ring-surface ${look}`} />
    </span>
  )
}

const severityWords = (severity: TimelineVersion['severity']): string =>
  severity === null ? 'no changes' : steps[severity]

/** What a step did to the operations and to clients, as far as it is known. */
const StepWords = ({ step }: { step: TimelineVersion | undefined }) => {
  if (step === undefined || step.base === null) return null
  const { added, removed, counts, severity, base } = step
  return (
    <>
      {added !== null && removed !== null && added + removed > 0 ? (
        <>
          {' '}
          <span className="whitespace-nowrap tabular-nums">
            <span className="text-ok">+{added.toLocaleString()}</span>{' '}
            <span className="text-danger">−{removed.toLocaleString()}</span>
            <span className="sr-only"> operations since {base.label}</span>
          </span>
        </>
      ) : null}
      {counts === null ? null : (
        <>
          {' · '}
          {counts.breaking > 0 ? (
            <span className="text-danger">{count(counts.breaking, 'breaking change', 'breaking changes')}</span>
          ) : (
            severityWords(severity)
          )}{' '}
          since {base.label}
        </>
      )}
    </>
  )
}

const ServedUntil = ({ at }: { at: string }) => (
  <>
    {' · '}
    <span className="text-warn">
      served until <Day at={at} />
    </span>
  </>
)

const VersionRow = ({
  tenant,
  version,
  step,
  previous,
  isTicked,
  onTick,
}: {
  tenant: string
  version: VersionRecord
  step: TimelineVersion | undefined
  /** The version listed after it: compared with it where nothing says which version it follows. */
  previous: VersionRecord | undefined
  isTicked: boolean
  /** Null: there is no other to compare it with. */
  onTick: (() => void) | null
}) => {
  const base = step?.base ?? previous
  return (
    <li
      className={`relative grid grid-cols-[1.25rem_1.25rem_auto_1fr] items-start gap-x-3 gap-y-1 px-4 py-3 hover:bg-raised sm:grid-cols-[1.25rem_1.25rem_auto_1fr_auto] ${isTicked ? 'bg-wash' : ''}`}
    >
      {/* Above the link that covers the row. */}
      <label className="relative z-10 -m-2 flex p-2 pt-3">
        <input type="checkbox" checked={isTicked} disabled={onTick === null} onChange={onTick ?? undefined} />
        <span className="sr-only">Compare {version.label}</span>
      </label>
      <Dot version={version} step={step} />
      <Grade grade={version.grade} score={version.score} />
      <div className="grid min-w-0 gap-0.5">
        <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-mono font-semibold">
          <Link
            to="/t/$tenant/$project/$version"
            params={{ tenant, project: version.project_slug, version: version.slug }}
            className="break-all after:absolute after:inset-0"
          >
            {version.label}
          </Link>
          <span className="flex flex-wrap gap-1.5 font-sans">
            <Status status={version.status} />
            <Badge>{version.visibility}</Badge>
          </span>
        </h2>
        <p className="text-sm text-soft">
          {count(version.operations_count, 'operation', 'operations')}
          <StepWords step={step} />
          {version.sunset_at === null ? null : <ServedUntil at={version.sunset_at} />}
        </p>
      </div>
      <div className="col-start-4 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-soft sm:col-start-5 sm:justify-end">
        {base ? (
          <Link
            to="/t/$tenant/$project/$version/changes"
            params={{ tenant, project: version.project_slug, version: version.slug }}
            search={{ base: base.slug }}
            className="link relative"
          >
            Compare with {base.label}
          </Link>
        ) : null}
        <Moment at={version.published_at ?? version.updated_at} />
      </div>
    </li>
  )
}

/** What the ticked versions can be done with. */
const CompareBar = ({
  tenant,
  ticked,
  items,
}: {
  tenant: string
  ticked: readonly string[]
  items: readonly VersionRecord[]
}) => {
  // Newest first: the base of a comparison is the older one.
  const [head, base] = items.filter((it) => ticked.includes(it.id))
  if (!head || !base)
    return (
      <p className="text-sm text-soft" role="status">
        {ticked.length === 0 ? 'Tick two versions to compare them.' : 'Tick another version to compare them.'}
      </p>
    )
  return (
    <Link
      to="/t/$tenant/-/compare"
      params={{ tenant }}
      search={{
        base: `${base.project_slug}@${base.slug}`,
        head: `${head.project_slug}@${head.slug}`,
      }}
      className={buttonClass('primary')}
    >
      Compare {base.label} with {head.label}
    </Link>
  )
}

/** The versions of a project on one line, newest first: what each step changed, and any two of them to be compared. */
export const VersionList = ({
  tenant,
  project,
  items,
  total,
}: {
  tenant: string
  project: string
  items: readonly VersionRecord[]
  total: number
}) => {
  const timeline = useQuery(timelineQuery(tenant, project))
  const [ticked, setTicked] = useState<readonly string[]>([])
  const stepOf = new Map((timeline.data?.items ?? []).map((it) => [it.slug, it]))
  const tick = (id: string): void =>
    setTicked((before) => (before.includes(id) ? before.filter((it) => it !== id) : [...before.slice(-1), id]))
  return (
    <>
      <GradingNote tenant={tenant} {...(items[0] ? { project: items[0].project_id } : {})} />
      {timeline.data && timeline.data.items.length >= leastOfChart ? (
        <VersionChart items={timeline.data.items} />
      ) : null}
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-sm text-soft">
          {count(total, 'version', 'versions')}
        </p>
        {items.length > 1 ? <CompareBar tenant={tenant} ticked={ticked} items={items} /> : null}
      </div>
      <ul className="card divide-y overflow-hidden" aria-label="Versions">
        {items.map((version, index) => (
          <VersionRow
            key={version.id}
            tenant={tenant}
            version={version}
            step={stepOf.get(version.slug)}
            previous={items[index + 1]}
            isTicked={ticked.includes(version.id)}
            onTick={items.length > 1 ? () => tick(version.id) : null}
          />
        ))}
      </ul>
    </>
  )
}
