import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** Rows that are printed: a browser that lays out more takes minutes. */
export const mostPrinted = 2000

/** Whether the page is being printed: what is drawn as one scrolls is then drawn as a whole. */
export const usePrinting = (): boolean => {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const [begin, end] = [() => flushSync(() => setPrinting(true)), () => setPrinting(false)]
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}

/**
 * Reads what a list does not have yet when Ctrl+P or ⌘P is pressed, and prints then. A page cannot hold up the menu of the browser:
 * that prints what is there.
 */
export const usePrintWhole = (load: () => Promise<unknown>): void => {
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      // What cannot be read is not printed; the page says why.
      void latest
        .current()
        .catch(() => {})
        .then(() => print())
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

const none: readonly number[] = []

interface VirtualListProps {
  readonly label: string
  readonly total: number
  /** Usual height of a row in pixels. */
  readonly estimate: number
  /** Scrolled to when it changes, or when `focusKey` does if that is given. */
  readonly focusIndex?: number
  readonly focusKey?: string | number
  readonly height?: string
  /** A line between rows. */
  readonly ruled?: boolean
  readonly onVisible?: (first: number, last: number) => void
  /** What a row is about, where rows may come in before it: it keeps its state and the focus then. */
  readonly keyOf?: (index: number) => string | number
  /** Rows that exist wherever the list is scrolled to: what has the focus must not go away. */
  readonly keep?: readonly number[]
  readonly children: (index: number) => ReactNode
}

/** The rows as they are printed: all of them up to a limit. */
const PrintedList = ({
  label,
  total,
  look,
  children,
}: Pick<VirtualListProps, 'label' | 'total' | 'children'> & { look: string }) => (
  <ul aria-label={label} className="card">
    {Array.from({ length: Math.min(total, mostPrinted) }, (_, index) => (
      <li key={index} className={look}>
        {children(index)}
      </li>
    ))}
    {total > mostPrinted ? (
      <li className="p-2">{(total - mostPrinted).toLocaleString()} more are not printed.</li>
    ) : null}
  </ul>
)

/**
 * A list of any length of which only the visible rows exist. Rows may differ in height. It scrolls by itself, can be
 * reached and scrolled by keyboard, and tells assistive technology how many rows there are.
 */
export const VirtualList = ({
  label,
  total,
  estimate,
  focusIndex,
  focusKey = focusIndex,
  height = 'max-h-[65vh]',
  ruled = true,
  onVisible,
  keyOf,
  keep = none,
  children,
}: VirtualListProps) => {
  const frame = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => frame.current,
    estimateSize: () => estimate,
    overscan: 12,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      const kept = keep.filter((it) => it >= 0 && it < total && !shown.includes(it))
      return kept.length === 0 ? shown : [...shown, ...kept].sort((a, b) => a - b)
    },
    ...(keyOf ? { getItemKey: keyOf } : {}),
  })
  const rows = virtualizer.getVirtualItems()
  // Without those that are kept elsewhere.
  const near = rows.filter(({ index }) => !keep.includes(index))
  const first = near[0]?.index ?? 0
  const last = near.at(-1)?.index ?? 0
  useEffect(() => onVisible?.(first, last), [first, last, onVisible])
  useEffect(() => {
    if (focusIndex !== undefined) virtualizer.scrollToIndex(focusIndex, { align: 'center' })
    // Rows may come in above it without a reason to scroll: the key says when there is one.
  }, [focusKey, virtualizer])
  const isPrinting = usePrinting()
  const look = ruled ? 'border-b last:border-b-0' : ''
  if (isPrinting)
    return (
      <PrintedList label={label} total={total} look={look}>
        {children}
      </PrintedList>
    )
  return (
    // A scrolling region must be reachable by keyboard even when nothing in it is.
    <div ref={frame} className={`card ${height} overflow-auto`} tabIndex={0} role="region" aria-label={label}>
      <ul className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
        {rows.map((row) => (
          <li
            key={row.key}
            ref={virtualizer.measureElement}
            data-index={row.index}
            aria-posinset={row.index + 1}
            aria-setsize={total}
            className={`absolute top-0 left-0 w-full ${look}`}
            style={{ transform: `translateY(${row.start}px)` }}
          >
            {children(row.index)}
          </li>
        ))}
      </ul>
    </div>
  )
}
