/** What other rooms use of kit. */
export type { Deps, Store } from './deps.ts'
export type { Embedder } from './embedder.ts'
export {
  afterPage,
  decodeCursor,
  pageOf,
  readPage,
  readStablePage,
  sincePage,
  stablePageOf,
  type Page,
  type PageAnswer,
  type StablePage,
} from './paging.ts'
