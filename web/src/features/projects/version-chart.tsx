import { useMemo } from 'react'
import type { TimelineVersion } from '../../../../src/api/insights.ts'
import { type ChartMark, type ChartPoint, type ChartTone, TimeChart } from '../../parts/time-chart.tsx'

const tones: Readonly<Record<string, ChartTone>> = { breaking: 'danger', 'non-breaking': 'ok', 'docs-only': 'info' }

const legend = [
  ['bg-danger', 'breaking'],
  ['bg-ok', 'safe changes'],
  ['bg-info', 'docs only'],
  ['bg-accent', 'first, or a draft'],
] as const

const dayMs = 86_400_000

const timeOf = (it: TimelineVersion): number => Date.parse(it.published_at ?? it.created_at)

/** The scores of versions over time, with what each step was, and when versions were deprecated or end. Nothing where all are of one day. */
export const VersionChart = ({ items }: { items: readonly TimelineVersion[] }) => {
  const points = useMemo(
    (): ChartPoint[] =>
      items
        .flatMap((it) =>
          it.score === null ? [] : [{ at: timeOf(it), value: it.score, tone: tones[it.severity ?? ''] ?? 'accent' }],
        )
        .toSorted((a, b) => a.at - b.at),
    [items],
  )
  const marks = useMemo(
    (): ChartMark[] =>
      items.flatMap((version) => [
        ...(version.deprecated_at === null
          ? []
          : [{ at: Date.parse(version.deprecated_at), name: `${version.label} deprecated`, tone: 'warn' as const }]),
        ...(version.sunset_at === null
          ? []
          : [{ at: Date.parse(version.sunset_at), name: `${version.label} sunset`, tone: 'danger' as const }]),
      ]),
    [items],
  )
  const [first, last] = [points[0], points.at(-1)]
  // What was imported in one go is one spot: a line needs days.
  if (!first || !last || last.at - first.at < dayMs) return null
  const range = points.length === 1 ? '' : `from ${first.value.toFixed(0)} to ${last.value.toFixed(0)} points`
  return (
    <div className="card p-3">
      <div className="flex flex-wrap gap-x-4 gap-y-1 px-1 pb-2 text-xs text-soft">
        <p>Lint points over time</p>
        <ul className="flex flex-wrap gap-x-3" aria-label="Colours of the dots">
          {legend.map(([look, name]) => (
            <li key={name} className="flex items-center gap-1.5">
              <span aria-hidden="true" className={`size-2 rounded-full ${look}`} />
              {name}
            </li>
          ))}
        </ul>
      </div>
      <TimeChart points={points} marks={marks} label={`Lint points of ${points.length} versions over time, ${range}`} />
    </div>
  )
}
