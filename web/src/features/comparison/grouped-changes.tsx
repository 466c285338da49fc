import { ChevronDown, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Change } from './queries.ts'
import { Badge, Method, type Tone } from '../../parts/badge.tsx'
import { count } from '../../parts/count.ts'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { type Around, ChangeRow } from './change-row.tsx'
import { countKinds, type Group, kinds } from './changes.ts'

type Row =
  | { readonly kind: 'group'; readonly group: Group; readonly open: boolean }
  | { readonly kind: 'change'; readonly change: Change }

const tones: Record<(typeof kinds)[number], Tone> = {
  breaking: 'danger',
  undecided: 'warn',
  'non-breaking': 'ok',
  'docs-only': 'plain',
}

const Title = ({ group }: { group: Group }) => {
  if (group.kind === 'document') return <span className="font-medium">{group.title}</span>
  if (group.kind === 'component')
    return (
      <span className="min-w-0">
        <span className="font-mono text-sm font-medium break-all">{group.title}</span>{' '}
        <span className="text-sm text-soft">
          {group.operations.length === 0
            ? 'not used by an operation'
            : `shared by ${count(group.operations.length, 'operation', 'operations')}`}
        </span>
      </span>
    )
  const at = group.title.indexOf(' ')
  return (
    <span className="flex min-w-0 items-baseline">
      {at < 0 ? null : <Method method={group.title.slice(0, at)} />}
      <span className="min-w-0 font-mono text-sm font-medium break-all">{group.title.slice(at + 1)}</span>
    </span>
  )
}

const GroupRow = ({ group, open, onToggle }: { group: Group; open: boolean; onToggle: () => void }) => {
  const counts = countKinds(group.changes)
  const Mark = open ? ChevronDown : ChevronRight
  return (
    <h2>
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 bg-raised px-3 py-2 text-left -outline-offset-2"
      >
        <Mark size={16} aria-hidden="true" className="shrink-0 text-soft" />
        <span className="min-w-0 flex-1 basis-48">
          <Title group={group} />
        </span>
        <span className="flex flex-wrap gap-1.5">
          {kinds.map((it) =>
            counts[it] === 0 ? null : (
              <Badge key={it} tone={tones[it]}>
                {counts[it].toLocaleString()} {it}
              </Badge>
            ),
          )}
        </span>
      </button>
    </h2>
  )
}

/** Changes by operation; however many there are, only what is seen is drawn. A group can be folded. */
export const GroupedChanges = ({
  groups,
  around,
  summary,
}: {
  groups: readonly Group[]
  around: Around
  /** How many there are, in words. */
  summary: string
}) => {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(
    () =>
      groups.flatMap((group): Row[] => {
        const open = !folded.has(group.key)
        const own = open ? group.changes.map((change): Row => ({ kind: 'change', change })) : []
        return [{ kind: 'group', group, open }, ...own]
      }),
    [groups, folded],
  )
  const toggle = (key: string): void =>
    setFolded((before) =>
      before.has(key) ? new Set([...before].filter((it) => it !== key)) : new Set([...before, key]),
    )
  const allFolded = folded.size >= groups.length
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-3 text-sm text-soft">
        <p role="status">{summary}</p>
        <button
          type="button"
          className="link"
          onClick={() => setFolded(allFolded ? new Set() : new Set(groups.map((it) => it.key)))}
        >
          {allFolded ? 'Expand all' : 'Collapse all'}
        </button>
      </div>
      <VirtualList label="List of changes" total={rows.length} estimate={130} height="max-h-[80vh]">
        {(index) => {
          const row = rows[index]
          if (!row) return null
          return row.kind === 'group' ? (
            <GroupRow group={row.group} open={row.open} onToggle={() => toggle(row.group.key)} />
          ) : (
            <ChangeRow change={row.change} around={around} />
          )
        }}
      </VirtualList>
    </div>
  )
}
