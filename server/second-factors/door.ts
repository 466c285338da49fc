/** What other rooms use of second factors. */
export { dropFactors, showFactors } from './factors.ts'

export { assertSecondFactor, finishSignIn, type FinishedSignIn } from './second-step.ts'
export { sweepTickets } from './tickets.ts'
