/** What analysis processes use of sources: it reads documents, which a server's own thread never does. */
export { assembleDocuments, type Assembled, type PlacedProblem } from './assemble.ts'
export { overlaysNamedIn } from './overlays.ts'
export { TreeReader } from './reader.ts'
export { findEntry, findIndependent, nothingIn, type FoundDocument } from './discover.ts'
