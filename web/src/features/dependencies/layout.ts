/** Where the nodes of the graph are: in three columns, from what is depended on to what depends. */
import type { Dependencies } from '../../../../src/api/dependencies.ts'

export type Node = Dependencies['nodes'][number]
export type Edge = Dependencies['edges'][number]
type Kind = Node['kind']

export const kindNames: Readonly<Record<Kind, string>> = {
  type: 'Types',
  repository: 'Repositories',
  project: 'Projects',
  consumer: 'Consumers',
  environment: 'Gateways',
}
const columns: readonly (readonly Kind[])[] = [['repository', 'type'], ['project'], ['consumer', 'environment']]

/** More nodes than these are shown as a table. */
export const mostDrawn = 200

/** A row of a column: the heading of a kind, or a node. */
export type GraphRow = { readonly kind: Kind; readonly node: Node | null }

/** The rows of each column: kinds in their order, nodes by their names. */
export const rowsOf = (nodes: readonly Node[]): readonly (readonly GraphRow[])[] =>
  columns.map((kinds) =>
    kinds.flatMap((kind): GraphRow[] => {
      const own = nodes.filter((it) => it.kind === kind).toSorted((a, b) => a.name.localeCompare(b.name))
      return own.length === 0 ? [] : [{ kind, node: null }, ...own.map((node) => ({ kind, node }))]
    }),
  )

/** A line between two neighboring columns, by the rows at its ends. */
export interface Line {
  readonly gap: number
  readonly left: number
  readonly right: number
  readonly edge: Edge
}

/** The lines of the edges between neighboring columns, one for each pair of nodes. Edges within a column have none. */
export function linesOf(rows: readonly (readonly GraphRow[])[], edges: readonly Edge[]): Line[] {
  const places = new Map(
    rows.flatMap((column, at) => column.flatMap(({ node }, row) => (node ? [[node.id, { at, row }] as const] : []))),
  )
  const lines = new Map<string, Line>()
  for (const edge of edges) {
    const [one, other] = [places.get(edge.from), places.get(edge.to)]
    if (one === undefined || other === undefined || Math.abs(one.at - other.at) !== 1) continue
    const [left, right] = one.at < other.at ? [one, other] : [other, one]
    lines.set(`${edge.from} ${edge.to}`, { gap: left.at, left: left.row, right: right.row, edge })
  }
  return [...lines.values()]
}

/** A node with everything that it is connected to directly. */
export function around(edges: readonly Edge[], id: string): { nodes: ReadonlySet<string>; edges: readonly Edge[] } {
  const near = edges.filter(({ from, to }) => from === id || to === id)
  return { nodes: new Set([id, ...near.flatMap(({ from, to }) => [from, to])]), edges: near }
}

/** The nodes whose names contain a text with all that they are connected to directly; all of them for an empty text. */
export function matching({ nodes, edges }: Pick<Dependencies, 'nodes' | 'edges'>, text: string) {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return { nodes, edges }
  const found = new Set(nodes.filter((it) => it.name.toLowerCase().includes(wanted)).map(({ id }) => id))
  const kept = edges.filter(({ from, to }) => found.has(from) || found.has(to))
  const named = new Set([...found, ...kept.flatMap(({ from, to }) => [from, to])])
  return { nodes: nodes.filter(({ id }) => named.has(id)), edges: kept }
}
