import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ReaderIndex } from '../../src/api/reader.ts'
import { Method } from '../src/parts/badge.tsx'
import { count } from '../src/parts/text.ts'
import { SearchField } from '../src/parts/fields.tsx'
import { VirtualList } from '../src/parts/virtual-list.tsx'
import { wordsPart } from './parts.ts'
import { countWords, groupOperations, groupStarts, type PagePlace, refOf, shortCount } from './place.ts'
import { useReading } from './reading.ts'
import { search } from './search.ts'

/** A line of the table of contents. */
export type ContentsRow =
  | { readonly kind: 'link'; readonly name: string; readonly place: PagePlace }
  | { readonly kind: 'group'; readonly index: number; readonly name: string; readonly count: number }
  | { readonly kind: 'schemas'; readonly count: number }
  | { readonly kind: 'operation' | 'schema'; readonly index: number }

/** So many operations are listed with all groups open. */
const mostOpen = 60
const schemasGroup = -1

const groupAt = (index: ReaderIndex, place: PagePlace): number | null => {
  if (place.kind === 'schema') return schemasGroup
  if (place.kind === 'group') return place.index
  if (place.kind !== 'operation') return null
  return groupStarts(index).findLastIndex((start) => start <= place.index)
}

/** The lines that are shown while some groups are open. */
export const rowsOf = (index: ReaderIndex, open: ReadonlySet<number>): ContentsRow[] => {
  const starts = groupStarts(index)
  return [
    { kind: 'link', name: 'Introduction', place: { kind: 'introduction' } },
    ...index.groups.flatMap(({ name, count }, at): ContentsRow[] => [
      { kind: 'group', index: at, name, count },
      ...(open.has(at)
        ? Array.from({ length: count }, (_, nth): ContentsRow => ({
            kind: 'operation',
            index: (starts[at] ?? 0) + nth,
          }))
        : []),
    ]),
    ...(index.schemas.length === 0
      ? []
      : [
          { kind: 'schemas', count: index.schemas.length } as const,
          ...(open.has(schemasGroup) ? index.schemas.map((_, at): ContentsRow => ({ kind: 'schema', index: at })) : []),
        ]),
  ]
}

const linkClass =
  'flex min-h-8 items-baseline gap-1 px-3 py-1.5 text-sm -outline-offset-2 hover:bg-raised aria-[current=page]:bg-wash aria-[current=page]:font-medium'

const isAt = (place: PagePlace, kind: string, index: number): boolean =>
  place.kind === kind && 'index' in place && place.index === index

const EntryLink = ({
  kind,
  index,
  place,
  onGo,
}: {
  kind: 'operation' | 'schema'
  index: number
  place: PagePlace
  onGo: () => void
}) => {
  const { parts, href } = useReading()
  const operation = kind === 'operation' ? parts.index.operations[index] : undefined
  return (
    <a
      className={`${linkClass} ${kind === 'operation' ? 'pl-4' : 'pl-6'}`}
      href={href({ kind, index })}
      aria-current={isAt(place, kind, index) ? 'page' : undefined}
      title={operation === undefined ? undefined : refOf(operation)}
      onClick={onGo}
    >
      {operation === undefined ? (
        <span className="min-w-0 truncate">{parts.index.schemas[index]}</span>
      ) : (
        <>
          <span className="w-14 shrink-0 overflow-hidden">
            <Method method={operation.isWebhook ? 'HOOK' : operation.method} />
          </span>
          {/* Of a long path the end says which one it is. */}
          <span
            dir={operation.summary === '' ? 'rtl' : undefined}
            className={`min-w-0 truncate ${operation.deprecated ? 'text-soft line-through' : ''}`}
          >
            <bdi>{operation.summary || operation.path}</bdi>
          </span>
        </>
      )}
    </a>
  )
}

const GroupRow = ({
  name,
  number,
  title,
  open,
  onToggle,
}: {
  name: string
  number: string
  title?: string
  open: boolean
  onToggle: () => void
}) => (
  <button
    type="button"
    aria-expanded={open}
    onClick={onToggle}
    className="flex min-h-8 w-full items-baseline gap-2 px-3 py-1.5 text-left text-sm font-semibold -outline-offset-2 hover:bg-raised"
  >
    <span aria-hidden="true" className="w-3 shrink-0 text-soft">
      {open ? '▾' : '▸'}
    </span>
    <span className="min-w-0 grow truncate">{name}</span>
    <span className="text-xs font-normal text-soft tabular-nums" title={title}>
      {number}
    </span>
  </button>
)

const Found = ({ text, place, onGo }: { text: string; place: PagePlace; onGo: () => void }) => {
  const { parts } = useReading()
  const hits = useQuery({
    queryKey: ['search', text],
    queryFn: () => search(parts.index, text, (name) => wordsPart(parts, name)),
    placeholderData: (before) => before,
  })
  const list = hits.data ?? []
  return (
    <>
      <p role="status" className="text-sm text-soft">
        {hits.data === undefined ? 'Searching …' : count(list.length, 'result', 'results')}
      </p>
      <VirtualList label="Results" total={list.length} estimate={33} height="max-h-[calc(100dvh-11rem)]" ruled={false}>
        {(at) => {
          const hit = list[at]
          return hit === undefined ? null : (
            <div data-result>
              <EntryLink {...hit} place={place} onGo={onGo} />
            </div>
          )
        }}
      </VirtualList>
    </>
  )
}

/** Slash leads to the search, wherever nothing is written. */
function useSlash(frame: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const at = event.target instanceof Element ? event.target : null
      if (event.key !== '/' || event.ctrlKey || event.metaKey || at?.closest('input, textarea, select') != null) return
      event.preventDefault()
      frame.current?.querySelector('input')?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [frame])
}

interface ContentsLineProps {
  readonly row: ContentsRow
  readonly place: PagePlace
  readonly open: ReadonlySet<number>
  readonly onToggle: (group: number) => void
  readonly onGo: () => void
}

const ContentsLine = ({ row, place, open, onToggle, onGo }: ContentsLineProps) => {
  const { href, parts } = useReading()
  if (row.kind === 'link')
    return (
      <a
        className={`${linkClass} font-semibold`}
        href={href(row.place)}
        aria-current={place.kind === row.place.kind ? 'page' : undefined}
        onClick={onGo}
      >
        {row.name}
      </a>
    )
  if (row.kind === 'group' || row.kind === 'schemas') {
    const [name, group] = row.kind === 'group' ? [row.name, row.index] : ['Schemas', schemasGroup]
    const listed = groupOperations(parts.index)[group]
    return (
      <GroupRow
        name={name}
        number={listed === undefined ? row.count.toLocaleString() : shortCount(listed)}
        {...(listed === undefined ? {} : { title: countWords(listed) })}
        open={open.has(group)}
        onToggle={() => onToggle(group)}
      />
    )
  }
  return <EntryLink kind={row.kind} index={row.index} place={place} onGo={onGo} />
}

/** The table of contents with its search: everything that the documentation has, of which only what is visible is drawn. */
export const Contents = ({ place, onGo }: { place: PagePlace; onGo: () => void }) => {
  const { index } = useReading().parts
  const frame = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [open, setOpen] = useState<ReadonlySet<number>>(
    () => new Set(index.operations.length <= mostOpen ? index.groups.map((_, at) => at) : []),
  )
  const current = groupAt(index, place)
  useEffect(() => {
    if (current !== null) setOpen((before) => (before.has(current) ? before : new Set([...before, current])))
  }, [current])
  useSlash(frame)
  const toggle = (at: number): void =>
    setOpen((before) => new Set(before.has(at) ? [...before].filter((it) => it !== at) : [...before, at]))
  /** Enter opens the first result: the link itself is followed, as by a click. */
  const openFirst = (): void => frame.current?.querySelector<HTMLAnchorElement>('[data-result] a')?.click()
  const rows = rowsOf(index, open)
  const at = rows.findIndex(
    (row) => (row.kind === 'operation' || row.kind === 'schema') && isAt(place, row.kind, row.index),
  )
  return (
    <div ref={frame} className="grid grid-cols-[minmax(0,1fr)] content-start gap-2">
      <form
        role="search"
        aria-label="Documentation"
        onSubmit={(event) => {
          event.preventDefault()
          openFirst()
        }}
      >
        <SearchField label="Search everything ( / )" value={text} onChange={setText} />
      </form>
      {text.trim() === '' ? (
        <VirtualList
          label="Contents"
          total={rows.length}
          estimate={33}
          height="max-h-[calc(100dvh-9rem)]"
          ruled={false}
          {...(at < 0 ? {} : { focusIndex: at })}
        >
          {(nth) => {
            const row = rows[nth]
            return row === undefined ? null : (
              <ContentsLine row={row} place={place} open={open} onToggle={toggle} onGo={onGo} />
            )
          }}
        </VirtualList>
      ) : (
        <Found text={text} place={place} onGo={onGo} />
      )}
    </div>
  )
}
