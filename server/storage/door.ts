/** What other rooms use of storage. */
export { objectsOf } from './open.ts'
