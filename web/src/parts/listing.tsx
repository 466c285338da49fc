import type { ReactNode } from 'react'
import { Pager, type Position } from './pager.tsx'
import { Loading, NoMatch, Unread } from './states.tsx'

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
}) =>
  query.error ? (
    <Unread error={query.error} onRetry={() => void query.refetch()} />
  ) : query.data === undefined ? (
    <Loading what={what} />
  ) : (
    children(query.data)
  )

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
    {(page) =>
      page.items.length > 0 ? (
        <>
          {children(page.items)}
          <Pager page={page} onMove={onMove} />
        </>
      ) : filtered && onClear ? (
        <NoMatch what={one} onClear={onClear} />
      ) : page.offset > 0 ? (
        // The last row of a page may have been deleted, or the address is an old one.
        <NoMatch what={`${one} this far down`} onClear={() => onMove(0)} />
      ) : (
        empty
      )
    }
  </Read>
)
