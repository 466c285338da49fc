/** What other rooms use of specs. */
export { SpecDocuments } from './documents.ts'
export { unindexed } from './reindex.ts'
