import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { usePageKeys } from '../../parts/page-keys.ts'
import { mostPrinted, usePrinting } from '../../parts/virtual-list.tsx'
import { Badge, Method, type Tone } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'
import type { ChangeContext } from './change-proof.tsx'
import { ChangeRow } from './change-row.tsx'
import { countKinds, type Group, type Kind, kinds, type Told } from './changes.ts'

type Row = { readonly kind: 'group'; readonly group: Group } | { readonly kind: 'change'; readonly told: Told }

export const tones: Record<Kind, Tone> = {
  breaking: 'danger',
  undecided: 'warn',
  'non-breaking': 'ok',
  'docs-only': 'plain',
}

const Title = ({ group }: { group: Group }) => {
  if (group.kind === 'document' || group.kind === 'repeated')
    return (
      <span className="font-medium">
        {group.title}
        {group.kind === 'repeated' ? (
          <span className="text-sm font-normal text-soft"> of several operations</span>
        ) : null}
      </span>
    )
  if (group.kind === 'component')
    return (
      <span className="min-w-0">
        <span className="font-mono text-sm font-medium break-all">{group.title}</span>{' '}
        <span className="text-sm text-soft">shared</span>
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

/** What a group of changes is about, and how many of them there are of each kind. */
export const GroupRow = ({ group }: { group: Group }) => {
  const counts = countKinds(group.changes)
  return (
    <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-raised px-4 py-2">
      <span className="min-w-0 flex-1 basis-48">
        <Title group={group} />
      </span>
      <span className="flex flex-wrap gap-1.5">
        {kinds.map((kind) =>
          counts[kind] === 0 ? null : (
            <Badge key={kind} tone={tones[kind]}>
              {counts[kind].toLocaleString()} {kind}
            </Badge>
          ),
        )}
      </span>
    </h2>
  )
}

const keyOfRow = (row: Row): string => (row.kind === 'group' ? row.group.key : row.told.change.fingerprint)

const rowsOf = (groups: readonly Group[]): readonly Row[] =>
  groups.flatMap((group): Row[] => [
    { kind: 'group', group },
    ...group.told.map((told): Row => ({ kind: 'change', told })),
  ])

/** The index of the row that shows a change, itself or among those that repeat each other; -1 where none does. */
const rowOfChange = (rows: readonly Row[], chosen: string | null): number =>
  chosen === null
    ? -1
    : rows.findIndex((row) => row.kind === 'change' && row.told.all.some(({ fingerprint }) => fingerprint === chosen))

/** Scrolls to the change that the address names, once, and to those that j and k go to. */
const useWantedRow = (
  rows: readonly Row[],
  chosenRow: number,
  {
    list,
    virtualizer,
    onChoose,
  }: {
    list: RefObject<HTMLUListElement | null>
    virtualizer: Pick<ReturnType<typeof useWindowVirtualizer<HTMLLIElement>>, 'scrollToIndex'>
    onChoose: (fingerprint: string | null) => void
  },
): void => {
  const wanted = useRef<number | null>(null)
  // A change that the address names is gone to once.
  const [first] = useState(chosenRow)
  useEffect(() => {
    if (first >= 0) wanted.current = first
  }, [first])
  useEffect(() => {
    const index = wanted.current
    if (index === null) return
    const row = rows[index]
    const button =
      row?.kind === 'change'
        ? list.current?.querySelector<HTMLElement>(`[data-change="${row.told.change.fingerprint}"]`)
        : null
    if (button == null) return virtualizer.scrollToIndex(index, { align: 'start' })
    wanted.current = null
    button.focus({ preventScroll: true })
    virtualizer.scrollToIndex(index, { align: 'start' })
  })
  const step = useCallback(
    (by: number): void => {
      for (let at = chosenRow < 0 && by < 0 ? rows.length - 1 : chosenRow + by; at >= 0 && at < rows.length; at += by) {
        const row = rows[at]
        if (row?.kind !== 'change') continue
        wanted.current = at
        return onChoose(row.told.change.fingerprint)
      }
    },
    [rows, chosenRow, onChoose],
  )
  // j and k go to the next change and the one before.
  usePageKeys({ j: () => step(1), k: () => step(-1) })
}

/** The rows in the scroll of the page, and the chosen one among them. */
const useRows = (rows: readonly Row[], chosen: string | null, onChoose: (fingerprint: string | null) => void) => {
  const list = useRef<HTMLUListElement>(null)
  const chosenRow = useMemo(() => rowOfChange(rows, chosen), [rows, chosen])
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const { top } = list.current?.getBoundingClientRect() ?? { top: 0 }
    setMargin(top + scrollY)
  })
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (index === chosenRow ? 620 : 44),
    overscan: 10,
    scrollMargin: margin,
    // The header of the application stays above.
    scrollPaddingStart: 64,
    getItemKey: (index) => {
      const row = rows[index]
      return row === undefined ? index : keyOfRow(row)
    },
  })
  useWantedRow(rows, chosenRow, { list, virtualizer, onChoose })
  return { list, virtualizer, chosenRow, margin }
}

/** The changes by operation, in the scroll of the page. However many there are, only what is seen is drawn. */
export const ChangeList = ({
  groups,
  around,
  chosen,
  onChoose,
}: {
  groups: readonly Group[]
  around: ChangeContext
  /** The fingerprint of the chosen change; of any of those that repeat each other. */
  chosen: string | null
  onChoose: (fingerprint: string | null) => void
}) => {
  const rows = useMemo(() => rowsOf(groups), [groups])
  const isPrinting = usePrinting()
  const { list, virtualizer, chosenRow, margin } = useRows(rows, chosen, onChoose)
  const drawn = isPrinting
    ? rows.slice(0, mostPrinted).map((_, index) => ({ index, key: index, start: 0 }))
    : virtualizer.getVirtualItems()
  return (
    <div role="region" aria-label="List of changes" className="card overflow-hidden print:overflow-visible">
      <ul ref={list} className="relative w-full" style={isPrinting ? {} : { height: virtualizer.getTotalSize() }}>
        {drawn.map(({ index, key, start }) => {
          const row = rows[index]
          return row === undefined ? null : (
            <li
              key={key}
              ref={isPrinting ? null : virtualizer.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              className={`w-full border-b ${isPrinting ? '' : 'absolute top-0 left-0'}`}
              style={isPrinting ? {} : { transform: `translateY(${start - margin}px)` }}
            >
              {row.kind === 'group' ? (
                <GroupRow group={row.group} />
              ) : (
                <ChangeRow
                  told={row.told}
                  around={around}
                  isChosen={index === chosenRow}
                  onChoose={() => onChoose(index === chosenRow ? null : row.told.change.fingerprint)}
                />
              )}
            </li>
          )
        })}
      </ul>
      {isPrinting && rows.length > mostPrinted ? (
        <p className="p-3">{count(rows.length - mostPrinted, 'more row', 'more rows')} not printed.</p>
      ) : null}
    </div>
  )
}
