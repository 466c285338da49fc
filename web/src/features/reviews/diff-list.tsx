import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Thread } from '../../../../src/api/threads.ts'
import { usePageKeys } from '../../parts/page-keys.ts'
import { mostPrinted, usePrinting } from '../../parts/virtual-list.tsx'
import { GroupRow } from '../comparison/change-list.tsx'
import type { ChangeContext } from '../comparison/change-proof.tsx'
import type { Group, Told } from '../comparison/changes.ts'
import { DiffChange } from './diff-change.tsx'
import { DiffSegment, type Reviewed } from './diff-segment.tsx'
import { assignPlaces, hasLine, type Segment, standOf } from './hunks.ts'
import { ThreadCard } from './thread-card.tsx'
import type { useViewed } from './viewed.ts'

type Item =
  | { readonly kind: 'group'; readonly key: string; readonly group: Group }
  | { readonly kind: 'title'; readonly key: string; readonly title: string; readonly words: string }
  | { readonly kind: 'change'; readonly key: string; readonly told: Told }
  | { readonly kind: 'segment'; readonly key: string; readonly segment: Segment }
  | { readonly kind: 'thread'; readonly key: string; readonly thread: Thread }

/** So many are drawn as a whole: heights that are guessed would leave a blank below them. */
const fewItems = 80
const heights = { group: 37, title: 56, change: 60, segment: 320, thread: 160 } as const

const segmentItem = (segment: Segment): Item => ({ kind: 'segment', key: segment.key, segment })

/** Everything that is listed, and which segment has which threads. */
const useItems = (groups: readonly Group[], { places, base }: Reviewed, threads: readonly Thread[]) => {
  const assigned = useMemo(() => assignPlaces(groups, places), [groups, places])
  return useMemo(() => {
    const { segments, others, placeOf } = assigned
    const all = [...[...segments.values()].flat(), ...others]
    const inside = Map.groupBy(threads, (it) => {
      const stand = standOf(it, base.digest)
      return it.place.pointer === '' ? '' : (all.find((one) => hasLine(places, one, stand))?.key ?? '')
    })
    const elsewhere = inside.get('') ?? []
    const items: Item[] = [
      ...groups.flatMap((group): Item[] => [
        { kind: 'group', key: group.key, group },
        ...group.told.map((told): Item => ({ kind: 'change', key: told.change.fingerprint, told })),
        ...(segments.get(group.key) ?? []).map(segmentItem),
      ]),
      ...(others.length === 0
        ? []
        : [
            {
              kind: 'title' as const,
              key: 'other lines',
              title: 'Other lines',
              words: 'No change of the list is at these lines: order, format and comments.',
            },
            ...others.map(segmentItem),
          ]),
      ...(elsewhere.length === 0
        ? []
        : [
            {
              kind: 'title' as const,
              key: 'other threads',
              title: 'Threads on what did not change',
              words: 'They are on the whole document, or on lines that are as before.',
            },
            ...elsewhere.map((thread): Item => ({ kind: 'thread', key: `thread ${thread.id}`, thread })),
          ]),
    ]
    /** The number of the item that shows a place, a thread. */
    const itemOfPlace = (at: number): number =>
      items.findIndex((it) => it.kind === 'segment' && it.segment.first <= at && at <= it.segment.last)
    const itemOfThread = (id: string): number =>
      items.findIndex(
        (it) =>
          (it.kind === 'thread' && it.thread.id === id) ||
          (it.kind === 'segment' && (inside.get(it.key) ?? []).some((thread) => thread.id === id)),
      )
    return { items, inside, placeOf, itemOfPlace, itemOfThread }
  }, [assigned, groups, threads, places, base.digest])
}

/** Draws what is seen of the items, in the scroll of the page; what is being written in stays. */
const useSeen = (items: readonly Item[], kept: number) => {
  const list = useRef<HTMLUListElement>(null)
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const { top } = list.current?.getBoundingClientRect() ?? { top: 0 }
    setMargin(top + scrollY)
  })
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: (index) => heights[items[index]?.kind ?? 'change'],
    overscan: items.length <= fewItems ? fewItems : 4,
    scrollMargin: margin,
    // The header of the application stays above.
    scrollPaddingStart: 64,
    getItemKey: (index) => items[index]?.key ?? index,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      return kept < 0 || shown.includes(kept) ? shown : [...shown, kept].sort((a, b) => a - b)
    },
  })
  return { list, virtualizer, margin }
}

type Seen = ReturnType<typeof useSeen>

/** Goes to an item and gives it, or what is chosen in it, the focus once it is drawn. */
const useGoTo = ({ virtualizer }: Seen, list: RefObject<HTMLUListElement | null>) => {
  const wanted = useRef<{ index: number; selector: string | null } | null>(null)
  const [, again] = useState(0)
  useEffect(() => {
    if (wanted.current === null) return
    const { index, selector } = wanted.current
    virtualizer.scrollToIndex(index, { align: 'start' })
    const item = list.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    const goal = selector === null ? item : item?.querySelector<HTMLElement>(selector)
    if (goal == null) return
    wanted.current = null
    goal.focus({ preventScroll: true })
  })
  return useCallback((index: number, selector: string | null): void => {
    if (index < 0) return
    wanted.current = { index, selector }
    again((before) => before + 1)
  }, [])
}

/** The keys of a review: j and k between the changes, v, c and e for the one that is chosen. */
const useReviewKeys = (
  items: readonly Item[],
  {
    goTo,
    onViewed,
    onWrite,
    onMore,
  }: {
    goTo: (index: number, selector: string | null) => void
    onViewed: (told: Told) => void
    onWrite: (key: string) => void
    onMore: (told: Told) => void
  },
) => {
  const [current, setCurrent] = useState<string | null>(null)
  const keys = useMemo(() => {
    const at = items.findIndex((it) => it.key === current)
    const step = (by: number): void => {
      for (let next = at < 0 && by < 0 ? items.length - 1 : at + by; next >= 0 && next < items.length; next += by) {
        const item = items[next]
        if (item?.kind !== 'change') continue
        setCurrent(item.key)
        return goTo(next, '[data-change]')
      }
    }
    const chosen = (act: (told: Told) => void) => (): void => {
      const item = items[at]
      if (item?.kind === 'change') act(item.told)
    }
    return {
      j: () => step(1),
      k: () => step(-1),
      v: chosen(onViewed),
      c: chosen((told) => onWrite(told.change.fingerprint)),
      e: chosen(onMore),
    }
  }, [items, current, goTo, onViewed, onWrite, onMore])
  usePageKeys(keys)
  return { current, setCurrent }
}

interface DiffListProps {
  readonly reviewed: Reviewed
  readonly groups: readonly Group[]
  readonly around: ChangeContext
  readonly threads: readonly Thread[]
  readonly viewed: ReturnType<typeof useViewed>
}

interface Writing {
  /** The key of the item. */
  readonly item: string
  /** A line of it, as "now 12"; null: the change. */
  readonly line: string | null
}

/** Goes to the thread of the address, whenever it names another one. */
const useFocusedThread = (focused: string | null, index: number, goTo: (index: number, selector: string) => void) => {
  const done = useRef<string | null>(null)
  useEffect(() => {
    if (focused === null || index < 0 || done.current === focused) return
    done.current = focused
    goTo(index, `#thread-${CSS.escape(focused)}`)
  }, [focused, index, goTo])
}

/** What the items have in common. */
interface Drawn extends Pick<ReturnType<typeof useItems>, 'inside' | 'placeOf'> {
  readonly props: DiffListProps
  readonly writing: Writing | null
  readonly setWriting: (writing: Writing | null) => void
  readonly toLines: (told: Told, selector: string) => void
  /** The change that the keys are about. */
  readonly current: string | null
  readonly setCurrent: (key: string) => void
}

const DrawnItem = ({ item, shared }: { item: Item; shared: Drawn }) => {
  const { props, writing, setWriting, inside, placeOf, toLines, current, setCurrent } = shared
  const { reviewed, around, viewed } = props
  const written = writing?.item === item.key ? writing : null
  if (item.kind === 'group') return <GroupRow group={item.group} />
  if (item.kind === 'title')
    return (
      <div className="bg-raised px-4 py-2">
        <h2 className="font-medium">{item.title}</h2>
        <p className="text-sm text-soft">{item.words}</p>
      </div>
    )
  if (item.kind === 'thread')
    return (
      <div className="p-3">
        <ThreadCard at={reviewed.at} thread={item.thread} focused={item.thread.id === reviewed.focused} />
      </div>
    )
  if (item.kind === 'segment')
    return (
      <DiffSegment
        reviewed={reviewed}
        segment={item.segment}
        threads={inside.get(item.key) ?? []}
        writing={written?.line ?? null}
        onWrite={(line) => setWriting(line === null ? null : { item: item.key, line })}
      />
    )
  return (
    <div className={current === item.key ? 'border-l-4 border-accent' : ''} onFocus={() => setCurrent(item.key)}>
      <DiffChange
        told={item.told}
        around={around}
        reviewed={reviewed}
        isViewed={viewed.isViewed(item.told)}
        place={reviewed.places[placeOf.get(item.told.change.fingerprint) ?? -1] ?? null}
        isWriting={written !== null}
        onViewed={() => viewed.toggle(item.told)}
        onLines={() => toLines(item.told, '[data-at]')}
        onWrite={(writes) => setWriting(writes ? { item: item.key, line: null } : null)}
      />
    </div>
  )
}

/** What a version changes: by operation and component the changes, then their lines on both sides, with the threads on them. */
export const DiffList = (props: DiffListProps) => {
  const { reviewed, groups, threads, viewed } = props
  const { items, inside, placeOf, itemOfPlace, itemOfThread } = useItems(groups, reviewed, threads)
  const [writing, setWriting] = useState<Writing | null>(null)
  const isPrinting = usePrinting()
  const seen = useSeen(
    items,
    items.findIndex((it) => it.key === writing?.item),
  )
  const { list, virtualizer, margin } = seen
  const goTo = useGoTo(seen, list)
  const { focused } = reviewed
  useFocusedThread(focused, focused === null ? -1 : itemOfThread(focused), goTo)
  const toLines = useCallback(
    (told: Told, selector: string): void => {
      const place = placeOf.get(told.change.fingerprint)
      if (place !== undefined) goTo(itemOfPlace(place), selector)
    },
    [placeOf, itemOfPlace, goTo],
  )
  const keys = useReviewKeys(items, {
    goTo,
    onViewed: viewed.toggle,
    onWrite: useCallback((item: string): void => setWriting({ item, line: null }), []),
    onMore: useCallback((told: Told): void => toLines(told, '[data-expand]'), [toLines]),
  })
  const drawn = isPrinting
    ? items.slice(0, mostPrinted).map((_, index) => ({ index, key: index, start: 0 }))
    : virtualizer.getVirtualItems()
  const shared: Drawn = {
    props,
    writing,
    setWriting,
    inside,
    placeOf,
    toLines,
    current: keys.current,
    setCurrent: keys.setCurrent,
  }
  return (
    <div role="region" aria-label="What the version changes" className="card overflow-clip print:overflow-visible">
      <ul ref={list} className="relative w-full" style={isPrinting ? {} : { height: virtualizer.getTotalSize() }}>
        {drawn.map(({ index, key, start }) => {
          const item = items[index]
          return item === undefined ? null : (
            <li
              key={key}
              ref={isPrinting ? null : virtualizer.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={items.length}
              className={`w-full border-b ${isPrinting ? '' : 'absolute top-0 left-0'}`}
              style={isPrinting ? {} : { transform: `translateY(${start - margin}px)` }}
            >
              <DrawnItem item={item} shared={shared} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}
