import type { Deps } from '../kit/door.ts'
import type { Network } from '../egress/door.ts'
import { createExternalTokens, type ExternalTokens } from './external-tokens.ts'
import { createGatekeeper } from './gatekeeper.ts'
import type { Gatekeeper } from '../auth/door.ts'
import { Issuer } from './issuer.ts'
import type { RuleSettings } from '../role-rules/door.ts'
import type { Oidc, OidcSettings, TrustedIssuers } from './oidc-settings.ts'
import { databaseKeys } from './public-keys.ts'
import { createTokens, type Tokens } from './tokens.ts'

/** How people and programs prove who they are, as the operator configured it. */
export interface IdentitySettings {
  /** The `iss` of access tokens: the public address of the service, the same for all its replicas. */
  readonly issuer: string
  /** Whether browsers reach the service over https only: cookies are then marked Secure. */
  readonly secureCookies: boolean
  /** The file that holds the set-up link until the link was used. */
  readonly setupFile?: string | undefined
  /** Puts the sample project into a new tenant and gives its id; null where there is none. */
  readonly provisionSample?: (tenantSlug: string, userId: string) => Promise<string | null>
  /** The identity provider that people sign in with. */
  readonly oidc?: OidcSettings | null
  /** Where rules for groups come from; without: from organizations. */
  readonly rules?: RuleSettings
  /** Issuers whose access tokens are accepted. */
  readonly trusted?: TrustedIssuers | null
  /** Networks beside the public internet where issuers may be. */
  readonly egressAllow?: readonly Network[]
  /** Called with the reason when an issuer could not be asked or a sign-in with it failed. */
  readonly onIssuerFailure?: ((issuer: string, reason: string) => void) | undefined
}

/** What the features of identity work with: what all features have, and what proves who is calling. */
export interface Identity extends Deps {
  readonly secureCookies: boolean
  readonly setupFile: string | null
  readonly provisionSample: (tenantSlug: string, userId: string) => Promise<string | null>
  readonly oidc: Oidc | null
  readonly rules: RuleSettings
  readonly tokens: Tokens
  readonly gatekeeper: Gatekeeper
}

/** Wires identity over what all features have; make one for each process. */
export function createIdentity(deps: Deps, settings: IdentitySettings): Identity {
  const { db, clock } = deps
  const { egressAllow = [], onIssuerFailure = () => {}, oidc = null, trusted = null } = settings
  const issuerOf = (name: string, jwksUri?: string): Issuer =>
    new Issuer({ issuer: name, jwksUri, egressAllow, clock, onFailure: (reason) => onIssuerFailure(name, reason) })
  const tokens = createTokens({ issuer: settings.issuer, keys: databaseKeys(db, clock), clock })
  const external: ExternalTokens | null =
    trusted === null
      ? null
      : createExternalTokens(
          trusted.issuers.map((it) => issuerOf(it.issuer, it.jwksUri)),
          trusted.audience,
          clock,
        )
  return {
    ...deps,
    secureCookies: settings.secureCookies,
    setupFile: settings.setupFile ?? null,
    provisionSample: settings.provisionSample ?? (() => Promise.resolve(null)),
    oidc:
      oidc === null
        ? null
        : {
            settings: oidc,
            issuer: issuerOf(oidc.issuer),
            egressAllow,
            onFailure: (reason) => onIssuerFailure(oidc.issuer, reason),
          },
    rules: { issuer: oidc?.issuer ?? null, file: null, isFileOnly: false, ...settings.rules },
    tokens,
    gatekeeper: createGatekeeper({ db, clock, tokens, external, vault: deps.vault }),
  }
}
