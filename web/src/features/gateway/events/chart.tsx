import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Choices } from '../../../parts/choices.tsx'
import { count } from '../../../parts/text.ts'
import { Read } from '../../../parts/listing.tsx'
import { Section } from '../../../parts/page.tsx'
import type { EnvironmentAt } from '../queries.ts'
import { countsQuery, ranges, type EventCounts, type RangeName } from './queries.ts'

/** What became of requests in three kinds: the colour never says it alone, the legend and each column do. */
const kinds = [
  { name: 'refused', actions: ['block', 'challenge', 'rate-limit'], look: 'text-danger' },
  { name: 'logged', actions: ['log'], look: 'text-info' },
  { name: 'let through', actions: ['allow', 'skip', 'exempt'], look: 'text-soft' },
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

const Columns = ({ columns, label }: { columns: readonly Column[]; label: string }) => {
  const most = Math.max(1, ...columns.map(({ counts }) => sum(counts)))
  const step = width / columns.length
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-32 w-full"
    >
      <line
        x1="0"
        x2={width}
        y1={floor + 1}
        y2={floor + 1}
        stroke="currentColor"
        className="text-line"
        strokeWidth="1"
      />
      {columns.map(({ at, counts }, index) => {
        if (sum(counts) === 0) return null
        let top = floor
        return (
          <g key={at}>
            <title>
              {`${timeOf(at)}: ${kinds.map(({ name }, kind) => `${(counts[kind] ?? 0).toLocaleString()} ${name}`).join(', ')}`}
            </title>
            {kinds.map(({ name, look }, kind) => {
              const value = counts[kind] ?? 0
              if (value === 0) return null
              const tall = Math.max(2, (value / most) * (floor - 4))
              top -= tall
              return (
                <rect
                  key={name}
                  x={index * step}
                  y={top}
                  width={Math.max(1, step - (step > 4 ? 1 : 0))}
                  height={tall}
                  fill="currentColor"
                  className={look}
                />
              )
            })}
          </g>
        )
      })}
    </svg>
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
              <p className="text-xs text-soft tabular-nums">
                up to {count(Math.max(0, ...columns.map(({ counts }) => sum(counts))), 'request', 'requests')} in a
                column
              </p>
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
