import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode } from 'react'

/**
 * A list of any length of which only the visible rows exist. Rows may differ in height. It scrolls by itself, can be
 * reached and scrolled by keyboard, and tells assistive technology how many rows there are.
 */
export const VirtualList = ({
  label,
  total,
  estimate,
  focusIndex,
  height = 'max-h-[65vh]',
  ruled = true,
  onVisible,
  children,
}: {
  label: string
  total: number
  /** Usual height of a row in pixels. */
  estimate: number
  /** Scrolled to when it changes. */
  focusIndex?: number
  height?: string
  /** A line between rows. */
  ruled?: boolean
  onVisible?: (first: number, last: number) => void
  children: (index: number) => ReactNode
}) => {
  const frame = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => frame.current,
    estimateSize: () => estimate,
    overscan: 12,
  })
  const rows = virtualizer.getVirtualItems()
  const first = rows[0]?.index ?? 0
  const last = rows.at(-1)?.index ?? 0
  useEffect(() => onVisible?.(first, last), [first, last, onVisible])
  useEffect(() => {
    if (focusIndex !== undefined) virtualizer.scrollToIndex(focusIndex, { align: 'center' })
  }, [focusIndex, virtualizer])
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
