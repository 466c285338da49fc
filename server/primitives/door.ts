/** What other rooms use of primitives. */
export { preflightTypes } from './preflight.ts'
