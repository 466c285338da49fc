import type { Database } from '../../db/database.ts'
import { type Plans, plansWith } from '../license/plans.ts'
import { createGatekeeper } from './gatekeeper.ts'
import type { Gatekeeper } from './grant.ts'
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
  readonly tokens: Tokens
  readonly gatekeeper: Gatekeeper
}

/** Wires identity over a database; make one for each process. */
export function createIdentity(settings: IdentitySettings): Identity {
  const { db, now, issuer, secureCookies } = settings
  const tokens = createTokens({ issuer, keys: databaseKeys(db, now), now })
  return {
    db,
    now,
    secureCookies,
    publicUrl: settings.publicUrl ?? (() => ''),
    setupFile: settings.setupFile ?? null,
    plans: settings.plans ?? plansWith({}),
    provisionSample: settings.provisionSample ?? (() => Promise.resolve(null)),
    changed: settings.changed ?? (() => {}),
    tokens,
    gatekeeper: createGatekeeper({ db, now, tokens }),
  }
}
