import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { TimelineVersion } from '../../../../src/api/insights.ts'
import type { VersionRecord } from '../../../../src/api/versions.ts'
import { Badge, Grade, Status } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { List, Row } from '../../parts/list.tsx'
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

const steps = { breaking: 'breaking', 'non-breaking': 'safe changes', 'docs-only': 'docs only' } as const

/** The place of a version on the line of all; what it changed is said in words. */
const Dot = ({ version }: { version: VersionRecord }) => (
  <span aria-hidden="true" className="relative flex justify-center self-stretch max-md:hidden">
    <span className="absolute -inset-y-1 w-px bg-line" />
    <span
      className={`relative my-auto size-2.5 rounded-full ring-4 ring-surface ${version.status === 'draft' ? 'border-2 border-edge bg-surface' : 'bg-edge'}`}
    />
  </span>
)

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
            {added > 0 ? <span className="text-ok">+{added.toLocaleString()}</span> : null}
            {added > 0 && removed > 0 ? ' ' : null}
            {removed > 0 ? <span className="text-danger">−{removed.toLocaleString()}</span> : null}
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
    <Row>
      {/* Above the link that covers the row. */}
      <label className="relative z-10 -m-2 flex p-2">
        <input type="checkbox" checked={isTicked} disabled={onTick === null} onChange={onTick ?? undefined} />
        <span className="sr-only">Compare {version.label}</span>
      </label>
      <Dot version={version} />
      <Grade grade={version.grade} score={version.score} />
      <h2 className="truncate font-mono text-xs font-semibold">
        <Link
          to="/t/$tenant/$project/$version"
          params={{ tenant, project: version.project_slug, version: version.slug }}
          className="after:absolute after:inset-0"
        >
          {version.label}
        </Link>
      </h2>
      <Status status={version.status} />
      <Badge>{version.visibility}</Badge>
      <p className="text-soft md:truncate max-md:w-full">
        {count(version.operations_count, 'operation', 'operations')}
        <StepWords step={step} />
        {version.sunset_at === null ? null : <ServedUntil at={version.sunset_at} />}
      </p>
      <span className="truncate">
        {base ? (
          <Link
            to="/t/$tenant/$project/$version/changes"
            params={{ tenant, project: version.project_slug, version: version.slug }}
            search={{ base: base.slug }}
            className="relative text-soft hover:underline"
          >
            Compare with {base.label}
          </Link>
        ) : null}
      </span>
      <span className="text-soft">
        <Moment at={version.published_at ?? version.updated_at} />
      </span>
    </Row>
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
      <List
        label="Versions"
        columns="1rem 1.25rem 1.25rem minmax(0,9rem) 6.5rem 4rem minmax(0,1fr) minmax(0,11rem) 7rem"
      >
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
      </List>
    </>
  )
}
