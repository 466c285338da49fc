import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { mostPrinted, usePrinting } from '../../parts/printing.ts'
import { Badge, Method, type Tone } from '../../parts/badge.tsx'
import { count } from '../../parts/count.ts'
import { type Around, ChangeRow } from './change-row.tsx'
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

const GroupRow = ({ group }: { group: Group }) => {
  const counts = countKinds(group.changes)
  return (
    <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-raised px-4 py-2">
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
    </h2>
  )
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.shadowRoot !== null || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** j and k go to the next change and the one before, from anywhere on the page where nothing is typed. */
const useStepKeys = (step: (by: number) => void): void =>
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      if (document.querySelector('[role=dialog], [role=alertdialog]') !== null) return
      const by = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0
      if (by === 0) return
      event.preventDefault()
      step(by)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [step])

/** The changes by operation, in the scroll of the page. However many there are, only what is seen is drawn. */
export const ChangeList = ({
  groups,
  around,
  chosen,
  onChoose,
}: {
  groups: readonly Group[]
  around: Around
  /** The fingerprint of the chosen change; of any of those that repeat each other. */
  chosen: string | null
  onChoose: (fingerprint: string | null) => void
}) => {
  const list = useRef<HTMLUListElement>(null)
  const isPrinting = usePrinting()
  const rows = useMemo(
    () =>
      groups.flatMap((group): Row[] => [
        { kind: 'group', group },
        ...group.told.map((told): Row => ({ kind: 'change', told })),
      ]),
    [groups],
  )
  const chosenRow = useMemo(
    () =>
      chosen === null
        ? -1
        : rows.findIndex((it) => it.kind === 'change' && it.told.all.some(({ fingerprint }) => fingerprint === chosen)),
    [rows, chosen],
  )
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
      return row === undefined ? index : row.kind === 'group' ? row.group.key : row.told.change.fingerprint
    },
  })
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
  useStepKeys(step)
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
