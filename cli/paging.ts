/** The options of every list, and what it says of the rows that it did not show. */
export const pageOptions = {
  limit: { type: 'integer', min: 1, max: 200, default: 50, summary: 'most rows' },
  offset: { type: 'integer', min: 0, max: 10_000, default: 0, summary: 'rows to pass over' },
} as const

interface Page {
  readonly items: readonly unknown[]
  readonly total: number
  readonly limit: number
  readonly offset: number
}

/** What the envelope says of a page. */
export const pageSummary = ({ total, limit, offset }: Page) => ({ total, limit, offset })

/** The line below a page that is not the last one; empty otherwise. */
export function moreOf({ items, total, offset }: Page): string {
  const shown = offset + items.length
  return total > shown ? `… ${total - shown} more: --offset ${shown}\n` : ''
}
