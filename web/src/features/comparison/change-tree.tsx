import { useMemo } from 'react'
import { Method } from '../../parts/badge.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { type Kind, kinds, type Node } from './changes.ts'

const colours: Record<Kind, string> = {
  breaking: 'text-danger',
  undecided: 'text-warn',
  'non-breaking': 'text-ok',
  'docs-only': 'text-soft',
}

const sections = [
  { kind: 'operation', title: 'Operations' },
  { kind: 'component', title: 'Schemas and components' },
  { kind: 'document', title: 'Document' },
] as const

type Row = { readonly heading: string } | { readonly node: Node }

const Name = ({ title, kind }: Node) => {
  const at = kind === 'operation' ? title.indexOf(' ') : -1
  return (
    <span className="flex min-w-0 items-baseline">
      {at < 0 ? null : <Method method={title.slice(0, at)} />}
      <span className="min-w-0 font-mono text-xs break-all">{title.slice(at + 1)}</span>
    </span>
  )
}

/** What changed, by operations and components: one narrows the list to its own changes. */
export const ChangeTree = ({
  nodes,
  at,
  onAt,
}: {
  nodes: readonly Node[]
  /** The key of the one that is chosen. */
  at: string | null
  onAt: (key: string | null) => void
}) => {
  const rows = useMemo(
    () =>
      sections.flatMap(({ kind, title }): Row[] => {
        const own = nodes.filter((it) => it.kind === kind)
        return own.length === 0 ? [] : [{ heading: `${title} (${own.length})` }, ...own.map((node): Row => ({ node }))]
      }),
    [nodes],
  )
  return (
    <VirtualList
      label="Operations and schemas that changed"
      total={rows.length}
      estimate={34}
      ruled={false}
      height="max-h-72 lg:max-h-[calc(100dvh-5.5rem)]"
    >
      {(index) => {
        const row = rows[index]
        if (row === undefined) return null
        if ('heading' in row) return <p className="px-3 pt-3 pb-1 text-xs font-medium text-soft">{row.heading}</p>
        const { key, counts } = row.node
        return (
          <button
            type="button"
            aria-pressed={key === at}
            onClick={() => onAt(key === at ? null : key)}
            className="flex min-h-8 w-full items-center justify-between gap-2 px-3 py-1 text-left -outline-offset-2 hover:bg-raised aria-pressed:bg-wash"
          >
            <Name {...row.node} />
            <span className="flex shrink-0 gap-1.5 text-xs tabular-nums">
              {kinds.map((kind) =>
                counts[kind] === 0 ? null : (
                  <span key={kind} className={colours[kind]} title={`${counts[kind]} ${kind}`}>
                    {counts[kind]}
                    <span className="sr-only"> {kind}</span>
                  </span>
                ),
              )}
            </span>
          </button>
        )
      }}
    </VirtualList>
  )
}
