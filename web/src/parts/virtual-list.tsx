import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode } from 'react'
import { mostPrinted, usePrinting } from './printing.ts'

const none: readonly number[] = []

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
}: {
  label: string
  total: number
  /** Usual height of a row in pixels. */
  estimate: number
  /** Scrolled to when it changes, or when `focusKey` does if that is given. */
  focusIndex?: number
  focusKey?: string | number
  height?: string
  /** A line between rows. */
  ruled?: boolean
  onVisible?: (first: number, last: number) => void
  /** What a row is about, where rows may come in before it: it keeps its state and the focus then. */
  keyOf?: (index: number) => string | number
  /** Rows that exist wherever the list is scrolled to: what has the focus must not go away. */
  keep?: readonly number[]
  children: (index: number) => ReactNode
}) => {
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
  if (isPrinting)
    return (
      <ul aria-label={label} className="card">
        {Array.from({ length: Math.min(total, mostPrinted) }, (_, index) => (
          <li key={index} className={ruled ? 'border-b last:border-b-0' : ''}>
            {children(index)}
          </li>
        ))}
        {total > mostPrinted ? (
          <li className="p-2">{(total - mostPrinted).toLocaleString()} more are not printed.</li>
        ) : null}
      </ul>
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
            className={`absolute top-0 left-0 w-full ${ruled ? 'border-b last:border-b-0' : ''}`}
            style={{ transform: `translateY(${row.start}px)` }}
          >
            {children(row.index)}
          </li>
        ))}
      </ul>
    </div>
  )
}
