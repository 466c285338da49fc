/** What other rooms use of versions. */
export {
  baselineComparison,
  compareHead,
  currentOf,
  impactOfStep,
  type BaselineRequest,
  type Comparison,
} from './baseline.ts'
export { baseOf, countChanges, countsOf, findChangeRecord, sideOf } from './changes.ts'
export { assertMatch, createVersion, replaceDocument } from './drafts.ts'
export { excerptsOf } from './lines.ts'
export { markPublished, transitionError } from './service.ts'
export { gradeColumns, recordEditor, writeDraft } from './store.ts'
