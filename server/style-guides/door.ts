/** What other rooms use of style guides. */
export { assign, unassign } from './assignments.ts'
export { effectiveGuide } from './effective.ts'
export type { Policy } from './policy.ts'
export { gradesUnderWay } from './relint.ts'
export { followRestored, knownGuides } from './restore.ts'
export { assignedIdOf, defaultIdOf, findGuide, idOf, lintGuideOf, policyOf } from './store.ts'
