/** What other rooms use of used types. */
export { basesOf, basesOfTenant } from './bases.ts'
export { lintVersion, lintWithTypes } from './lint-with-types.ts'
export {
  findTargets,
  findUsers,
  inParts,
  publishedUsers,
  readEdges,
  refsOf,
  resolveEdges,
  type Refs,
  type Target,
} from './references.ts'
export { rowsByRef, type PrimitiveRow } from './rows.ts'
export {
  areRefsKnown,
  pinTypes,
  readKey,
  refOfEdge,
  refsOfVersion,
  resolveNow,
  typedSubject,
  typesNow,
  typesOf,
  usedTypes,
  type TypeDeps,
  type TypeUse,
  type Used,
} from './used-types.ts'
