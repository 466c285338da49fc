import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Choices } from '../../../parts/choices.tsx'
import { count } from '../../../parts/text.ts'
import { Read } from '../../../parts/listing.tsx'
import { Section } from '../../../parts/page.tsx'
import type { EnvironmentAt } from '../queries.ts'
import { countsQuery, ranges, type EventCounts, type RangeName } from './queries.ts'

/** What became of requests in three kinds, the darkest first: the colour never says it alone, the legend and each column do. */
const kinds = [
  { name: 'refused', actions: ['block', 'challenge', 'rate-limit'], look: 'text-chart-3' },
  { name: 'logged', actions: ['log'], look: 'text-chart-2' },
  { name: 'let through', actions: ['allow', 'skip', 'exempt'], look: 'text-chart-1' },
] as const

export interface Column {
  readonly at: string
  /** In the order of the kinds. */
  readonly counts: readonly number[]
}

/** Every minute or hour of the range, also those without any request. */
export const columnsOf = ({ span, from, to, buckets }: EventCounts): Column[] => {
  const step = span === 'minute' ? 60_000 : 3_600_000
  const known = new Map(buckets.map((it) => [it.at, it.counts]))
  const columns: Column[] = []
  for (let at = Date.parse(from); at < Date.parse(to); at += step) {
    const iso = new Date(at).toISOString()
    const counts = known.get(iso) ?? {}
    columns.push({
      at: iso,
      counts: kinds.map(({ actions }) => actions.reduce((sum, it) => sum + (counts[it] ?? 0), 0)),
    })
  }
  return columns
}

const [width, height, floor] = [720, 120, 118]
const timeOf = (at: string): string =>
  new Date(at).toLocaleString(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })
const sum = (counts: readonly number[]): number => counts.reduce((total, it) => total + it, 0)

const wordsOf = ({ at, counts }: Column): string =>
  `${timeOf(at)}: ${kinds.map(({ name }, kind) => `${(counts[kind] ?? 0).toLocaleString()} ${name}`).join(', ')}`

/** A height at which an axis can end: 1, 2 or 5 times a power of ten, not below what is given. */
export const axisEnd = (most: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  return [1, 2, 5, 10].map((it) => it * power).find((it) => it >= most) ?? most
}

const Bars = ({ columns, end, chosen }: { columns: readonly Column[]; end: number; chosen: number | null }) => {
  const step = width / columns.length
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full"
    >
      {[0, 0.5, 1].map((part) => (
        <line
          key={part}
          x1="0"
          x2={width}
          y1={floor - part * (floor - 1)}
          y2={floor - part * (floor - 1)}
          stroke="currentColor"
          className={part === 0 ? 'text-bound' : 'text-line'}
          strokeWidth="1"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {chosen === null ? null : (
        <rect x={chosen * step} y="0" width={step} height={floor} fill="currentColor" className="text-wash" />
      )}
      {columns.map(({ at, counts }, index) => {
        let top = floor
        return kinds.map(({ name, look }, kind) => {
          const value = counts[kind] ?? 0
          if (value === 0) return null
          const tall = Math.max(1, (value / end) * (floor - 1))
          top -= tall
          return (
            <rect
              key={`${at} ${name}`}
              x={index * step}
              y={top}
              width={Math.max(1, step - (step > 4 ? 1 : 0))}
              height={tall}
              fill="currentColor"
              className={look}
            />
          )
        })
      })}
    </svg>
  )
}

/** What one column says, above it and within the chart. */
const Card = ({ column, left }: { column: Column; left: number }) => (
  <div
    className="float pointer-events-none absolute top-1 z-10 grid gap-0.5 px-3 py-2 text-xs whitespace-nowrap"
    style={left < 0.5 ? { left: `calc(${left * 100}% + 12px)` } : { right: `calc(${(1 - left) * 100}% + 12px)` }}
  >
    <p className="font-medium">{timeOf(column.at)}</p>
    {kinds.map(({ name, look }, kind) => (
      <p key={name} className="flex items-baseline gap-1.5">
        <span aria-hidden="true" className={`inline-block size-2 rounded-xs bg-current ${look}`} />
        <span className="grow">{name}</span>
        <span className="tabular-nums">{(column.counts[kind] ?? 0).toLocaleString()}</span>
      </p>
    ))}
  </div>
)

/** The columns with an axis at the right. The pointer or the arrow keys choose one, whose values are shown. */
const Columns = ({ columns, label }: { columns: readonly Column[]; label: string }) => {
  const [chosen, setChosen] = useState<number | null>(null)
  const end = axisEnd(Math.max(1, ...columns.map(({ counts }) => sum(counts))))
  const last = columns.length - 1
  const column = chosen === null ? undefined : columns[chosen]
  const step = (by: number): void => setChosen((before) => Math.min(last, Math.max(0, (before ?? last + 1) + by)))
  return (
    <div className="flex gap-2">
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={chosen ?? last}
        aria-valuetext={column === undefined ? label : wordsOf(column)}
        className="relative h-36 min-w-0 grow"
        onPointerMove={({ clientX, currentTarget }) => {
          const { left, width: wide } = currentTarget.getBoundingClientRect()
          setChosen(Math.min(last, Math.max(0, Math.floor(((clientX - left) / wide) * columns.length))))
        }}
        onPointerLeave={() => setChosen(null)}
        onBlur={() => setChosen(null)}
        onKeyDown={(event) => {
          const by = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10 }[event.key]
          if (by === undefined) return
          event.preventDefault()
          step(by)
        }}
      >
        <Bars columns={columns} end={end} chosen={chosen} />
        {column === undefined || chosen === null ? null : (
          <Card column={column} left={(chosen + 0.5) / columns.length} />
        )}
      </div>
      <div aria-hidden="true" className="grid content-between text-xs text-faint tabular-nums">
        {[end, end / 2, 0].map((it) => (
          <span key={it} className="leading-none">
            {it.toLocaleString()}
          </span>
        ))}
      </div>
    </div>
  )
}

/** How many requests gateways recorded over time, by what became of them. */
export const EventsChart = ({ at }: { at: EnvironmentAt }) => {
  const [range, setRange] = useState<RangeName>('day')
  const counts = useQuery(countsQuery(at, range))
  return (
    <Section
      title="Requests over time"
      actions={
        <Choices
          label="Range"
          value={range}
          choices={Object.entries(ranges).map(([value, { name }]) => ({ value, name }))}
          onChange={(value) => (value === null ? undefined : setRange(value as RangeName))}
        />
      }
    >
      <Read query={counts} what="the counts">
        {(entry) => {
          const columns = columnsOf(entry)
          const totals = kinds.map(({ name }, kind) => ({
            name,
            n: columns.reduce((all, one) => all + (one.counts[kind] ?? 0), 0),
          }))
          const label = `${count(entry.total, 'request', 'requests')}: ${totals.map(({ name, n }) => `${n.toLocaleString()} ${name}`).join(', ')}.`
          return (
            <div className="card grid gap-2 px-4 py-3">
              <Columns columns={columns} label={label} />
              <div className="flex flex-wrap justify-between gap-x-6 text-xs text-soft">
                <span>{timeOf(entry.from)}</span>
                <span>{timeOf(entry.to)}</span>
              </div>
              <ul aria-label="Legend" className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
                {kinds.map(({ name, look }, kind) => (
                  <li key={name} className="flex items-baseline gap-1.5">
                    <span aria-hidden="true" className={`inline-block size-2.5 rounded-xs bg-current ${look}`} />
                    {name} <span className="text-soft tabular-nums">{(totals[kind]?.n ?? 0).toLocaleString()}</span>
                  </li>
                ))}
                {entry.withoutEvent === 0 ? null : (
                  <li className="text-soft">
                    {count(entry.withoutEvent, 'request', 'requests')} counted without an event
                  </li>
                )}
              </ul>
            </div>
          )
        }}
      </Read>
    </Section>
  )
}
