import type { ReactNode } from 'react'
import { Loading, NoMatch, Unread } from './states.tsx'
import { Button } from './button.tsx'

/** One page of a list as far as its position goes. */
interface Position {
  /** Null where the service does not count. */
  readonly total: number | null
  /** Whether more follow; needed where there is no total. */
  readonly more?: boolean
  readonly limit: number
  readonly offset: number
  readonly items: readonly unknown[]
}

/** Steps through a list by position; nothing where one page holds it all. */
const Pager = ({ page, onMove }: { page: Position; onMove: (offset: number) => void }) => {
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

interface Reading<T> {
  readonly data: T | undefined
  readonly error: unknown
  readonly refetch: () => Promise<unknown>
}

/** The result of a query, or its state: loading, access denied, or an error with a way to try again. */
export const Read = <T,>({
  query,
  what,
  children,
}: {
  query: Reading<T>
  /** What is read, as in "Loading the members". */
  what: string
  children: (data: T) => ReactNode
}) => {
  if (query.error) return <Unread error={query.error} onRetry={() => void query.refetch()} />
  return query.data === undefined ? <Loading what={what} /> : children(query.data)
}

interface ListPage<T> extends Position {
  readonly items: readonly T[]
}

/** A page of a list with all its states: waiting, refused, failed, empty, nothing that matches, filled. */
export const Listing = <T,>({
  query,
  what,
  one,
  filtered = false,
  onClear,
  onMove,
  empty,
  children,
}: {
  query: Reading<ListPage<T>>
  /** Plural, as in "Loading the members". */
  what: string
  /** Singular, as in "No member matches your search". */
  one: string
  filtered?: boolean
  onClear?: () => void
  onMove: (offset: number) => void
  empty: ReactNode
  children: (items: readonly T[]) => ReactNode
}) => (
  <Read query={query} what={what}>
    {(page) => {
      if (page.items.length > 0)
        return (
          <>
            {children(page.items)}
            <Pager page={page} onMove={onMove} />
          </>
        )
      if (filtered && onClear) return <NoMatch what={one} onClear={onClear} />
      // The last row of a page may have been deleted, or the address is an old one.
      return page.offset > 0 ? <NoMatch what={`${one} this far down`} onClear={() => onMove(0)} /> : empty
    }}
  </Read>
)
