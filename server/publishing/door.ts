/** What other rooms use of publishing. */
export { assess, assessVersion, type Assessment } from './assess.ts'
export { gatesOfCandidate } from './gates.ts'
export { assertGates, lockProject, publishFound } from './publish.ts'
