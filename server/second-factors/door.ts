/** What other rooms use of second factors. */
export { dropFactors } from './factors.ts'

export { offersPasskeys, relyingPartyOf } from './relying-party.ts'
export { assertSecondFactor, beginPasskey, finishSignIn } from './second-step.ts'
export { sweepTickets } from './tickets.ts'
