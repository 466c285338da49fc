/** What other rooms use of reviews. */
export { reviewFacts, reviewStamp } from './facts.ts'
