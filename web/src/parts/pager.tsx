import { Button } from './button.tsx'

/** Steps through a list by position; nothing where one page holds it all. */
export const Pager = ({
  page,
  onMove,
}: {
  page: { readonly total: number; readonly limit: number; readonly offset: number; readonly items: readonly unknown[] }
  onMove: (offset: number) => void
}) => {
  if (page.total <= page.limit && page.offset === 0) return null
  const last = page.offset + page.items.length
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-4">
      <Button disabled={page.offset === 0} onClick={() => onMove(Math.max(0, page.offset - page.limit))}>
        Previous
      </Button>
      <span className="text-sm text-soft" role="status">
        {(page.offset + 1).toLocaleString()}–{last.toLocaleString()} of {page.total.toLocaleString()}
      </span>
      <Button disabled={last >= page.total} onClick={() => onMove(page.offset + page.limit)}>
        Next
      </Button>
    </nav>
  )
}
