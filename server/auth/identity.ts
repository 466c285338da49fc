import type { Database } from '../../db/database.ts'
import { type Plans, plansWith } from '../license/plans.ts'
import type { Network } from '../egress/address.ts'
import { createExternalTokens } from './external-tokens.ts'
import { createGatekeeper } from './gatekeeper.ts'
import type { Gatekeeper } from './grant.ts'
import { Issuer } from './issuer.ts'
import type { Oidc, OidcSettings, TrustedIssuers } from './oidc-settings.ts'
import { databaseKeys } from './public-keys.ts'
import { createTokens, type Tokens } from './tokens.ts'

/** What identity needs of its surroundings. */
export interface IdentitySettings {
  readonly db: Database
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** The `iss` of access tokens: the public address of the service, the same for all its replicas. */
  readonly issuer: string
  /** Whether browsers reach the service over https only: cookies are then marked Secure. */
  readonly secureCookies: boolean
  /** Under which people reach the service, without a slash at the end; links are relative when omitted or "". */
  readonly publicUrl?: () => string
  /** Where the set-up link lies until it was used. */
  readonly setupFile?: string
  /** The plans with what the operator changed in them. */
  readonly plans?: Plans
  /** Puts the sample project into a new tenant and gives its id. */
  readonly provisionSample?: (tenantSlug: string, userId: string) => Promise<string | null>
  /** The issuer that people sign in at. */
  readonly oidc?: OidcSettings | null
  /** Issuers whose access tokens are good here. */
  readonly trusted?: TrustedIssuers | null
  /** Networks beside the public internet where issuers may be. */
  readonly egressAllow?: readonly Network[]
  /** Told why an issuer could not be asked or a sign-in at it failed. */
  readonly onIssuerFailure?: (issuer: string, reason: string) => void
  /** Told after a tenant is gone: what was remembered of its documents is forgotten. */
  readonly changed?: () => void
}

/** Everything that features of identity share. */
export interface Identity {
  readonly db: Database
  readonly now: () => number
  readonly secureCookies: boolean
  readonly publicUrl: () => string
  readonly setupFile: string | null
  readonly plans: Plans
  readonly provisionSample: (tenantSlug: string, userId: string) => Promise<string | null>
  readonly changed: () => void
  readonly oidc: Oidc | null
  readonly tokens: Tokens
  readonly gatekeeper: Gatekeeper
}

/** Wires identity over a database; make one for each process. */
export function createIdentity(settings: IdentitySettings): Identity {
  const { db, now, issuer, secureCookies } = settings
  const tokens = createTokens({ issuer, keys: databaseKeys(db, now), now })
  const { egressAllow = [], onIssuerFailure = () => {}, oidc = null, trusted = null } = settings
  const issuerOf = (name: string, jwksUri?: string): Issuer =>
    new Issuer({ issuer: name, jwksUri, egressAllow, now, onFailure: (reason) => onIssuerFailure(name, reason) })
  const external =
    trusted === null
      ? null
      : createExternalTokens(
          trusted.issuers.map((it) => issuerOf(it.issuer, it.jwksUri)),
          trusted.audience,
          now,
        )
  return {
    db,
    now,
    secureCookies,
    publicUrl: settings.publicUrl ?? (() => ''),
    setupFile: settings.setupFile ?? null,
    plans: settings.plans ?? plansWith({}),
    provisionSample: settings.provisionSample ?? (() => Promise.resolve(null)),
    changed: settings.changed ?? (() => {}),
    oidc:
      oidc === null
        ? null
        : {
            settings: oidc,
            issuer: issuerOf(oidc.issuer),
            egressAllow,
            onFailure: (reason) => onIssuerFailure(oidc.issuer, reason),
          },
    tokens,
    gatekeeper: createGatekeeper({ db, now, tokens, external }),
  }
}
