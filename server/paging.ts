/** Where a page begins and how long it is, with the defaults of every list. */
export const pageOf = (query: { readonly limit?: number; readonly offset?: number } | undefined) => ({
  limit: query?.limit ?? 50,
  offset: query?.offset ?? 0,
})
