/** A part of a list: `offset` rows are left out, then at most `limit` follow. */
export interface Page {
  readonly limit: number
  readonly offset: number
}

/** The page that a query asks for; without one the first 50 rows, or `limit` where a list has a default of its own. */
export const pageOf = (query: Partial<Page> | undefined, limit = 50): Page => ({
  limit: query?.limit ?? limit,
  offset: query?.offset ?? 0,
})
