/** What other rooms use of linked accounts. */
export { credentialOf, type AccountFailure } from './credential.ts'
export { findAccount } from './record.ts'
