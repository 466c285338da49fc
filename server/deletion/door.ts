/** What other rooms use of deletion. */
export { removeInParts } from './in-parts.ts'
export type { RemovalKind } from './kinds.ts'
export { isBeingDeleted, removeFirst } from './remove.ts'
