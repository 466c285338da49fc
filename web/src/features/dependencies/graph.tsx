import { around, type Edge, kindNames, linesOf, type Node, type Row, rowsOf } from './layout.ts'

/** The height of a row, which the lines are drawn by: that of the class `h-9`. */
const rowRem = 2.25
/** Lines are drawn in a space where a row is 10 high. */
const middle = (row: number): number => row * 10 + 5

const Column = ({
  rows,
  chosen,
  near,
  onChoose,
}: {
  rows: readonly Row[]
  chosen: string | null
  near: ReadonlySet<string> | null
  onChoose: (id: string | null) => void
}) => (
  <ul className="grid min-w-0 content-start">
    {rows.map(({ kind, node }) =>
      node === null ? (
        <li key={kind} className="flex h-9 items-end pb-1 text-xs font-medium text-soft">
          {kindNames[kind]}
        </li>
      ) : (
        <li key={node.id} className="flex h-9 items-center">
          <button
            type="button"
            title={node.name}
            aria-pressed={chosen === node.id}
            onClick={() => onChoose(chosen === node.id ? null : node.id)}
            className={`h-8 w-full truncate rounded-md border border-edge bg-surface px-2.5 text-left text-sm hover:bg-raised aria-pressed:border-accent aria-pressed:bg-wash ${near === null || near.has(node.id) ? '' : 'border-transparent text-soft'}`}
          >
            {node.name}
          </button>
        </li>
      ),
    )}
  </ul>
)

/** The nodes in three columns, with lines between those that depend on each other. */
export const Graph = ({
  nodes,
  edges,
  chosen,
  onChoose,
}: {
  nodes: readonly Node[]
  edges: readonly Edge[]
  chosen: string | null
  onChoose: (id: string | null) => void
}) => {
  const columns = rowsOf(nodes)
  const lines = linesOf(columns, edges)
  const near = chosen === null ? null : around(edges, chosen).nodes
  const rowCount = Math.max(1, ...columns.map((rows) => rows.length))
  const gap = (at: number) => (
    <svg
      viewBox={`0 0 100 ${rowCount * 10}`}
      preserveAspectRatio="none"
      height={`${rowCount * rowRem}rem`}
      className="w-full"
      aria-hidden="true"
    >
      {lines
        .filter((it) => it.gap === at)
        .map(({ left, right, edge }) => {
          const isNear = chosen === null || edge.from === chosen || edge.to === chosen
          return (
            <path
              key={`${edge.from} ${edge.to}`}
              d={`M0 ${middle(left)} C50 ${middle(left)} 50 ${middle(right)} 100 ${middle(right)}`}
              className={`fill-none ${chosen !== null && isNear ? 'stroke-accent' : 'stroke-edge'} ${isNear ? '' : 'opacity-30'}`}
              strokeWidth={chosen !== null && isNear ? 2 : 1.25}
              vectorEffect="non-scaling-stroke"
            />
          )
        })}
    </svg>
  )
  return (
    <div role="region" aria-label="Graph" tabIndex={0} className="card overflow-x-auto p-4">
      <div className="grid min-w-[44rem] grid-cols-[minmax(0,1fr)_minmax(3rem,0.4fr)_minmax(0,1fr)_minmax(3rem,0.4fr)_minmax(0,1fr)]">
        {columns.map((rows, at) => (
          <div key={rows[0]?.kind ?? at} className="contents">
            <Column rows={rows} chosen={chosen} near={near} onChoose={onChoose} />
            {at < columns.length - 1 ? gap(at) : null}
          </div>
        ))}
      </div>
    </div>
  )
}
