/** What other rooms use of bounds. */
export { Guard } from './guard.ts'
