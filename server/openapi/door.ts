/** What other rooms use of openapi. */
export { writeDescription } from './describe.ts'
