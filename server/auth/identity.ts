import type { Database } from '../../db/database.ts'
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
}

/** Everything that features of identity share. */
export interface Identity extends IdentitySettings {
  readonly tokens: Tokens
  readonly gatekeeper: Gatekeeper
}

/** Wires identity over a database; make one for each process. */
export function createIdentity(settings: IdentitySettings): Identity {
  const { db, now, issuer } = settings
  const tokens = createTokens({ issuer, keys: databaseKeys(db, now), now })
  return { ...settings, tokens, gatekeeper: createGatekeeper({ db, now, tokens }) }
}
