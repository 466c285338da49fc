/** The options of every list, the line about rows that were not shown, and lookups in lists of any length. */
export const pageOptions = {
  limit: { type: 'integer', min: 1, max: 200, default: 50, summary: 'maximum number of rows' },
  offset: { type: 'integer', min: 0, max: 10_000, default: 0, summary: 'number of rows to skip' },
} as const

/** The same, where the service alone says how many rows can be skipped. */
export const listOptions = {
  limit: pageOptions.limit,
  offset: { type: 'integer', min: 0, default: 0, summary: 'number of rows to skip' },
} as const

/** What the envelope says of a page, by the names of the answer. */
export const pageCounts = ['total', 'limit', 'offset'] as const

interface Page {
  readonly items: readonly unknown[]
  readonly total: number
  readonly limit: number
  readonly offset: number
}

/** The line below a page that is not the last one; empty otherwise. */
export function moreOf({ items, total, offset }: Page): string {
  const shown = offset + items.length
  return total > shown ? `… ${total - shown} more: --offset ${shown}\n` : ''
}

const lookupPage = 200

/** The first row of a list for which `fits`, however long the list is; pages are read one after another. */
export async function findInPages<T>(
  list: (page: {
    readonly limit: number
    readonly offset: number
  }) => Promise<{ readonly items: readonly T[]; readonly total: number }>,
  fits: (item: T) => boolean,
): Promise<T | undefined> {
  for (let offset = 0; ; offset += lookupPage) {
    const { items, total } = await list({ limit: lookupPage, offset })
    const found = items.find(fits)
    if (found !== undefined || items.length === 0 || offset + items.length >= total) return found
  }
}
