/** What other rooms use of sign in. */
export type { Identity } from './identity.ts'
export { safeReturn } from './oidc.ts'
