import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Dependencies, dependenciesApi } from '../../../../src/api/dependencies.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { count } from '../../parts/text.ts'
import { Read } from '../../parts/listing.tsx'
import { Moment, Page, Section, Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { useNarrow } from '../../parts/use-narrow.ts'
import { Empty, NoMatch } from '../../parts/states.tsx'
import {
  around,
  type Edge,
  type GraphRow,
  kindNames,
  linesOf,
  matching,
  mostDrawn,
  type Node,
  rowsOf,
} from './layout.ts'
import { call } from '../../call.ts'
import { Link } from '@tanstack/react-router'

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
  rows: readonly GraphRow[]
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
const Graph = ({
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

/** The name of a node, which leads to its page. A client of several projects has no page of its own. */
const NodeLink = ({ tenant, of: node }: { tenant: string; of: Node }) => {
  if (node.kind === 'project')
    return (
      <Link to="/t/$tenant/$project" params={{ tenant, project: node.ref }} className="link">
        {node.name}
      </Link>
    )
  if (node.kind === 'repository')
    return (
      <Link to="/t/$tenant/-/repositories/$repository" params={{ tenant, repository: node.ref }} className="link">
        {node.name}
      </Link>
    )
  if (node.kind === 'environment')
    return (
      <Link to="/t/$tenant/-/gateway/$environment" params={{ tenant, environment: node.ref }} className="link">
        {node.name}
      </Link>
    )
  if (node.kind === 'type')
    return (
      <Link to="/t/$tenant/-/types/$type" params={{ tenant, type: node.ref }} className="link">
        {node.name}
      </Link>
    )
  return <span>{node.name}</span>
}

/** The fact of an edge, with the page that shows it where there is one. */
const Fact = ({ tenant, edge, nodes }: { tenant: string; edge: Edge; nodes: ReadonlyMap<string, Node> }): ReactNode => {
  const project = nodes.get(edge.to)
  if (edge.source === 'contract' && project !== undefined)
    return (
      <Link
        to="/t/$tenant/$project/-/consumers/$consumer"
        params={{ tenant, project: project.ref, consumer: edge.ref }}
        className="link"
      >
        {edge.detail}
      </Link>
    )
  return edge.detail
}

/** Edges as a table: who depends on what, and which fact says so. */
const FactTable = ({
  tenant,
  edges,
  nodes,
}: {
  tenant: string
  edges: readonly Edge[]
  nodes: ReadonlyMap<string, Node>
}) => (
  <div role="region" aria-label="Dependencies" tabIndex={0} className="card overflow-x-auto">
    <table className="w-full min-w-[36rem] text-sm">
      <thead>
        <tr className="border-b text-left text-xs text-soft">
          {['Depends', 'On', 'Fact', 'Since'].map((name) => (
            <th key={name} scope="col" className="px-4 py-2 font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {edges.map((edge) => {
          const [from, to] = [nodes.get(edge.from), nodes.get(edge.to)]
          if (from === undefined || to === undefined) return null
          return (
            <tr key={`${edge.from} ${edge.to} ${edge.source} ${edge.detail}`} className="border-b last:border-b-0">
              {[from, to].map((node) => (
                <td key={node.id} className="px-4 py-2 align-top wrap-anywhere">
                  <NodeLink tenant={tenant} of={node} />
                  <span className="text-xs text-soft"> {node.kind}</span>
                </td>
              ))}
              <td className="px-4 py-2 align-top wrap-anywhere">
                <Fact tenant={tenant} edge={edge} nodes={nodes} />
              </td>
              <td className="px-4 py-2 align-top whitespace-nowrap text-soft">
                <Moment at={edge.at} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  </div>
)

export const dependenciesQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['dependencies', tenant],
    queryFn: () => call(dependenciesApi.get, { params: { tenant_slug: tenant } }),
  })

const rowsAtFirst = 200

const Table = ({ tenant, edges, nodes }: Parameters<typeof FactTable>[0]) => {
  const [shown, setShown] = useState(rowsAtFirst)
  return (
    <>
      <FactTable tenant={tenant} edges={edges.slice(0, shown)} nodes={nodes} />
      {edges.length > shown ? (
        <div>
          <Button onClick={() => setShown(shown + rowsAtFirst)}>
            Show more ({(edges.length - shown).toLocaleString()} left)
          </Button>
        </div>
      ) : null}
    </>
  )
}

const Shown = ({
  tenant,
  all,
  q,
  view,
  chosen,
}: {
  tenant: string
  all: Dependencies
  q: string
  view: string
  chosen: string | null
}) => {
  const { filter } = useAddress()
  const { nodes, edges } = matching(all, q)
  const byId = new Map(all.nodes.map((it) => [it.id, it]))
  const drawn = nodes.length <= mostDrawn && view !== 'table'
  const node = chosen === null ? undefined : byId.get(chosen)
  if (nodes.length === 0) return <NoMatch what="name" onClear={() => filter({ q: '' })} />
  return (
    <>
      <p className="text-sm text-soft">
        {count(nodes.length, 'name', 'names')}, {count(edges.length, 'fact', 'facts')}.
        {all.truncated ? ' There are more than are listed: search for a name.' : ''}
        {nodes.length > mostDrawn ? ` More than ${mostDrawn} names are shown as a table.` : ''}
      </p>
      {drawn ? (
        <>
          <Graph nodes={nodes} edges={edges} chosen={chosen} onChoose={(id) => filter({ node: id ?? '' })} />
          {node === undefined ? (
            <p className="text-sm text-soft">Choose a name to see what it is connected to, and why.</p>
          ) : (
            <Section title={`What ${node.name} is connected to`}>
              <FactTable tenant={tenant} edges={around(edges, node.id).edges} nodes={byId} />
            </Section>
          )}
        </>
      ) : (
        <Table tenant={tenant} edges={edges} nodes={byId} />
      )}
    </>
  )
}

/** Who depends on what in an organization: one graph, each edge a fact with its source. */
export const DependenciesPage = ({
  tenant,
  q,
  view,
  node,
}: {
  tenant: string
  q: string
  view: string
  node: string | null
}) => {
  const dependencies = useQuery(dependenciesQuery(tenant))
  const { filter } = useAddress()
  // A telephone has no room for four columns of a graph, unless somebody asks for it or for one name in it.
  const isNarrow = useNarrow()
  const usual = isNarrow && node === null ? 'table' : 'graph'
  const shown = view === 'table' || view === 'graph' ? view : usual
  return (
    <Page
      title="Dependencies"
      description="Who depends on what: projects, their consumers, the types they refer to, the repositories they come from and the gateways that serve them."
    >
      <Toolbar>
        <SearchField label="Search names" value={q} onChange={(text) => filter({ q: text, node: '' })} />
        <Choices
          label="View"
          value={shown}
          choices={[
            { value: 'graph', name: 'Graph' },
            { value: 'table', name: 'Table' },
          ]}
          onChange={(next) => filter({ view: next ?? '' })}
        />
      </Toolbar>
      <Read query={dependencies} what="the dependencies">
        {(all) =>
          all.edges.length === 0 ? (
            <Empty title="No dependencies yet">
              <p>
                Register the consumers of a project, refer to registered types, bind a draft to a repository, or connect
                a project to an environment of gateways.
              </p>
            </Empty>
          ) : (
            <Shown tenant={tenant} all={all} q={q} view={shown} chosen={node} />
          )
        }
      </Read>
    </Page>
  )
}
