/** What other rooms use of kit. */
export type { Deps, Store } from './deps.ts'
export type { Embedder } from './embedder.ts'
export { pageOf, type Page } from './paging.ts'
