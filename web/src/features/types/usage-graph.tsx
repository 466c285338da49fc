import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Box, boxSize, type Edge, type Graph } from './graph.ts'

const looks: Record<Box['of']['kind'], string> = {
  self: 'fill-wash stroke-accent',
  type: 'fill-surface stroke-edge',
  missing: 'fill-danger-wash stroke-danger',
  version: 'fill-info-wash stroke-info',
  more: 'fill-ground stroke-line',
}
const inks: Record<Box['of']['kind'], string> = {
  self: 'fill-accent font-semibold',
  type: 'fill-ink',
  missing: 'fill-danger',
  version: 'fill-info',
  more: 'fill-soft',
}

const longest = 24
/** The end of a reference tells more than its beginning. */
const short = (text: string): string => (text.length <= longest ? text : `…${text.slice(1 - longest)}`)

const curve = ({ from, to }: Edge): string => {
  const [x1, y1] = [from.x + boxSize.width, from.y + boxSize.height / 2]
  const [x2, y2] = [to.x - 5, to.y + boxSize.height / 2]
  const middle = (x1 + x2) / 2
  return `M ${x1} ${y1} C ${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
}

const Target = ({ tenant, box, children }: { tenant: string; box: Box; children: ReactNode }) => {
  const { of } = box
  if (of.kind === 'type')
    return (
      <Link to="/t/$tenant/-/types/$type/usage" params={{ tenant, type: of.id }} aria-label={box.text}>
        {children}
      </Link>
    )
  if (of.kind === 'version')
    return (
      <Link
        to="/t/$tenant/$project/$version"
        params={{ tenant, project: of.project, version: of.version }}
        aria-label={box.text}
      >
        {children}
      </Link>
    )
  return <g>{children}</g>
}

/** Who refers to a type, and what it refers to. The tables beside it have the same as text, and all of it. */
export const UsageGraph = ({ tenant, graph, label }: { tenant: string; graph: Graph; label: string }) => (
  <div role="region" aria-label={label} tabIndex={0} className="card overflow-x-auto p-4">
    <svg
      role="group"
      aria-label={label}
      width={graph.width + 2}
      height={graph.height + 2}
      viewBox={`-1 -1 ${graph.width + 2} ${graph.height + 2}`}
      className="mx-auto max-w-none"
    >
      <defs>
        <marker id="usage-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M 0 0 L 8 4 L 0 8 z" className="fill-edge" />
        </marker>
      </defs>
      {graph.edges.map((it) => (
        <path
          key={`${it.from.key} ${it.to.key}`}
          d={curve(it)}
          className="fill-none stroke-edge"
          markerEnd="url(#usage-arrow)"
        />
      ))}
      {graph.boxes.map((box) => (
        <Target key={box.key} tenant={tenant} box={box}>
          <title>{box.text}</title>
          <rect
            x={box.x}
            y={box.y}
            width={boxSize.width}
            height={boxSize.height}
            rx={8}
            className={looks[box.of.kind]}
          />
          <text
            x={box.x + boxSize.width / 2}
            y={box.y + boxSize.height / 2}
            textAnchor="middle"
            dominantBaseline="central"
            className={`text-xs ${inks[box.of.kind]}`}
          >
            {short(box.text)}
          </text>
        </Target>
      ))}
    </svg>
  </div>
)
