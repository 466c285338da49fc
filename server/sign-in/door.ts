/** What other rooms use of sign in. */
export { Issuer } from './issuer.ts'
export type { Identity } from './identity.ts'
export { safeReturn } from './oidc.ts'
