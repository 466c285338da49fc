/** What other rooms use of specs. */
export { findReadable, type FoundSpec } from './catalogue.ts'
export { SpecDocuments } from './documents.ts'
export { unindexed } from './reindex.ts'
export { type SpecTool, type Viewer, viewerOf } from './viewer.ts'
