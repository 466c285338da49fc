import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { VersionAssessment, VersionOverview } from '../../../../src/api/insights.ts'
import type { VersionRecord } from '../../../../src/api/versions.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'
import { Moment } from '../../parts/page.tsx'
import { StoredGrade } from '../catalog/grading.tsx'
import type { VersionRef } from '../catalog/versions.ts'

const [width, height, margin] = [120, 28, 4]

/** A line through some values, oldest first, with a dot at the last; what it says is its label. */
const Sparkline = ({
  values,
  label,
}: {
  values: readonly number[]
  /** For readers who do not see it. */
  label: string
}) => {
  if (values.length < 2) return null
  const [low, high] = [Math.min(...values), Math.max(...values)]
  // A level line is drawn in the middle.
  const share = (value: number): number => (high === low ? 0.5 : (value - low) / (high - low))
  const points = values.map((value, index) => ({
    x: margin + (index * (width - 2 * margin)) / (values.length - 1),
    y: height - margin - share(value) * (height - 2 * margin),
  }))
  const last = points.at(-1)
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="text-accent"
    >
      <title>{label}</title>
      <polyline
        points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      {last ? <circle cx={last.x} cy={last.y} r="2.5" fill="currentColor" /> : null}
    </svg>
  )
}

const Cell = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid min-w-0 content-start gap-1.5 px-4 py-3">
    <h2 className="text-xs font-medium text-soft">{name}</h2>
    {children}
  </div>
)

const Waiting = () => <p className="text-sm text-soft">…</p>
const Failed = () => <p className="text-sm text-soft">could not be determined</p>

const GradeCell = ({
  tenant,
  record,
  trend,
}: {
  tenant: string
  record: VersionRecord
  trend: VersionOverview['trend'] | undefined
}) => {
  const scores = (trend ?? []).flatMap((it) => it.score ?? [])
  const points = (trend ?? []).map((it) => `${it.label} ${it.score?.toFixed(0)}`).join(', ')
  return (
    <Cell name="Grade">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StoredGrade tenant={tenant} project={record.project_id} grade={record.grade} score={record.score} />
        {record.score === null ? null : (
          <span className="text-sm text-soft tabular-nums">{record.score.toFixed(1)} of 100</span>
        )}
      </div>
      <Sparkline values={scores} label={`Points of the last ${scores.length} versions: ${points}`} />
    </Cell>
  )
}

const severities = [
  ['error', 'error', 'errors', 'danger'],
  ['warning', 'warning', 'warnings', 'warn'],
  ['info', 'info', 'info', 'info'],
  ['hint', 'hint', 'hints', 'plain'],
] as const

const FindingsCell = ({ at, found }: { at: VersionRef; found: VersionAssessment }) => {
  const some = severities.filter(([severity]) => found.findings[severity] > 0)
  return (
    <Cell name="Findings">
      {some.length === 0 ? (
        <p className="text-sm">None</p>
      ) : (
        <ul className="flex flex-wrap gap-1.5">
          {some.map(([severity, one, many, tone]) => (
            <li key={severity}>
              <Link
                to="/t/$tenant/$project/$version/findings"
                params={{ ...at }}
                search={{ severity }}
                className="inline-flex min-h-6 items-center hover:underline"
              >
                <Badge tone={tone}>{count(found.findings[severity], one, many)}</Badge>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <p className="text-xs text-soft">Style guide {found.guide.name}</p>
    </Cell>
  )
}

const changeParts = (
  counts: NonNullable<VersionAssessment['changes']>['counts'],
): readonly (readonly [name: string, n: number, tone: Tone, severity: string])[] => [
  ['breaking', counts.breaking, 'danger', 'breaking'],
  ['safe', counts.non_breaking, 'ok', 'non-breaking'],
  ['docs only', counts.docs_only, 'plain', 'docs-only'],
]

const ChangesCell = ({ at, changes }: { at: VersionRef; changes: VersionAssessment['changes'] }) => {
  if (changes === null)
    return (
      <Cell name="Changes">
        <p className="text-sm">First version</p>
      </Cell>
    )
  const parts = changeParts(changes.counts).filter(([, n]) => n > 0)
  return (
    <Cell name={`Changes since ${changes.base.label}`}>
      {parts.length === 0 ? (
        <p className="text-sm">None</p>
      ) : (
        <ul className="flex flex-wrap gap-1.5">
          {parts.map(([name, n, tone, severity]) => (
            <li key={name}>
              <Link
                to="/t/$tenant/$project/$version/changes"
                params={{ ...at }}
                search={{ base: changes.base.slug, severity }}
                className="inline-flex min-h-6 items-center hover:underline"
              >
                <Badge tone={tone}>
                  {n.toLocaleString()} {name}
                </Badge>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {changes.counts.unknown > 0 ? (
        <p className="text-xs text-soft">{count(changes.counts.unknown, 'is', 'are')} undecided</p>
      ) : null}
    </Cell>
  )
}

const ConsumersCell = ({ at, consumers }: { at: VersionRef; consumers: VersionAssessment['consumers'] }) => {
  const { total, broken, unknown } = consumers
  const fine = total - broken.length - unknown.length
  return (
    <Cell name="Consumers">
      <p className="flex flex-wrap gap-1.5">
        <Link
          to="/t/$tenant/$project/-/consumers"
          params={{ tenant: at.tenant, project: at.project }}
          className="inline-flex min-h-6 flex-wrap items-center gap-1.5 text-sm hover:underline"
        >
          {total === 0 ? 'None registered' : null}
          {broken.length > 0 ? <Badge tone="danger">{broken.length.toLocaleString()} affected</Badge> : null}
          {unknown.length > 0 ? <Badge tone="warn">{unknown.length.toLocaleString()} undecided</Badge> : null}
          {fine > 0 ? <Badge tone="ok">{fine.toLocaleString()} fine</Badge> : null}
        </Link>
      </p>
      {broken.length > 0 ? (
        <p className="truncate text-xs text-soft" title={broken.join(', ')}>
          {broken.join(', ')}
        </p>
      ) : null}
    </Cell>
  )
}

const PublishedCell = ({ record, overview }: { record: VersionRecord; overview: VersionOverview | undefined }) => {
  const by = record.published_at === null ? overview?.created_by : overview?.published_by
  return (
    <Cell name={record.published_at === null ? 'Draft' : 'Published'}>
      <p className="text-sm">
        <Moment at={record.published_at ?? record.updated_at} />
      </p>
      {by ? <p className="text-xs text-soft wrap-anywhere">by {by}</p> : null}
    </Cell>
  )
}

/** A version at a glance: each number leads to what it counts. */
export const OverviewStrip = ({
  at,
  record,
  overview,
  assessment,
}: {
  at: VersionRef
  record: VersionRecord
  overview: VersionOverview | undefined
  assessment: UseQueryResult<VersionAssessment>
}) => (
  <section
    aria-label="At a glance"
    className="card grid grid-cols-2 divide-line max-lg:[&>*:nth-child(n+3)]:border-t md:grid-cols-3 lg:grid-cols-5 lg:divide-x"
  >
    <GradeCell tenant={at.tenant} record={record} trend={overview?.trend} />
    {assessment.data ? (
      <>
        <FindingsCell at={at} found={assessment.data} />
        <ChangesCell at={at} changes={assessment.data.changes} />
        <ConsumersCell at={at} consumers={assessment.data.consumers} />
      </>
    ) : (
      ['Findings', 'Changes', 'Consumers'].map((name) => (
        <Cell key={name} name={name}>
          {assessment.error ? <Failed /> : <Waiting />}
        </Cell>
      ))
    )}
    <PublishedCell record={record} overview={overview} />
  </section>
)
