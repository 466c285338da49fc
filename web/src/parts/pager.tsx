import { Button } from './button.tsx'

/** One page of a list as far as its position goes. */
export interface Position {
  /** Null where the service does not count. */
  readonly total: number | null
  /** Whether more follow; needed where there is no total. */
  readonly more?: boolean
  readonly limit: number
  readonly offset: number
  readonly items: readonly unknown[]
}

/** Steps through a list by position; nothing where one page holds it all. */
export const Pager = ({ page, onMove }: { page: Position; onMove: (offset: number) => void }) => {
  const last = page.offset + page.items.length
  const hasMore = page.total === null ? page.more === true : last < page.total
  if (!hasMore && page.offset === 0) return null
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-4">
      <Button disabled={page.offset === 0} onClick={() => onMove(Math.max(0, page.offset - page.limit))}>
        Previous
      </Button>
      <span className="text-sm text-soft" role="status">
        {(page.offset + 1).toLocaleString()}–{last.toLocaleString()}
        {page.total === null ? '' : ` of ${page.total.toLocaleString()}`}
      </span>
      <Button disabled={!hasMore} onClick={() => onMove(page.offset + page.limit)}>
        Next
      </Button>
    </nav>
  )
}
