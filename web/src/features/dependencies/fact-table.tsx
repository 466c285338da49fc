import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Moment } from '../../parts/page.tsx'
import type { Edge, Node } from './layout.ts'
import { NodeLink } from './node-link.tsx'

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
export const FactTable = ({
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
                  <span className="block text-xs text-soft">{node.kind}</span>
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
