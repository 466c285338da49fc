/** What other rooms use of openapi. */
export { describeService, writeDescription } from './describe.ts'
