import { useMemo } from 'react'
import type { TimelineVersion } from '../../../../src/api/insights.ts'
import { type ChartMark, type ChartPoint, type ChartTone, TimeChart } from '../../parts/time-chart.tsx'

const tones: Readonly<Record<string, ChartTone>> = { breaking: 'danger', 'non-breaking': 'ok', 'docs-only': 'info' }

const timeOf = (it: TimelineVersion): number => Date.parse(it.published_at ?? it.created_at)

/** The scores of versions over time, with what each step was, and when versions were deprecated or end. Nothing for a single instant. */
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
      items.flatMap((it) => [
        ...(it.deprecated_at === null
          ? []
          : [{ at: Date.parse(it.deprecated_at), name: `${it.label} deprecated`, tone: 'warn' as const }]),
        ...(it.sunset_at === null
          ? []
          : [{ at: Date.parse(it.sunset_at), name: `${it.label} sunset`, tone: 'danger' as const }]),
      ]),
    [items],
  )
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || first.at === last.at) return null
  const said = points.length === 1 ? '' : `from ${first.value.toFixed(0)} to ${last.value.toFixed(0)} points`
  return (
    <div className="card p-3">
      <p className="px-1 pb-1 text-xs text-soft">Lint points by publication; dots show the strongest change</p>
      <TimeChart points={points} marks={marks} label={`Lint points of ${points.length} versions over time, ${said}`} />
    </div>
  )
}
