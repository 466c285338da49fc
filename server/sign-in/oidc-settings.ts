import type { Network } from '../egress/door.ts'
import type { Issuer } from './issuer.ts'

/** Who gets an account at the first sign-in. */
export interface ProvisionRule {
  /** No one; those whose verified address is of an allowed domain; everybody with an account at the issuer. */
  readonly provision: 'none' | 'domains' | 'all'
  /** Lower case. Where there are any, no one else signs in at the issuer. */
  readonly allowedDomains: readonly string[]
}

/** The issuer that people sign in at, as the operator configured it. */
export interface OidcSettings extends ProvisionRule {
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client. */
  readonly clientSecret: string | null
  readonly scopes: string
  /** What the sign-in page calls it. */
  readonly name: string
  /** Whether signing out here leads to signing out there. */
  readonly signsOutAtProvider?: boolean
}

/** The issuer with what was read of it. */
export interface Oidc {
  readonly settings: OidcSettings
  readonly issuer: Issuer
  readonly egressAllow: readonly Network[]
  readonly onFailure: (reason: string) => void
}

/** Issuers whose access tokens are valid here, and the audience that those must name. */
export interface TrustedIssuers {
  readonly issuers: readonly { readonly issuer: string; readonly jwksUri?: string }[]
  readonly audience: string
}
