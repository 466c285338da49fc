/** What other rooms use of openapi. */
export { describeService } from './describe.ts'
