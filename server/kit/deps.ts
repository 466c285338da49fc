import type { Clock } from '../../db/clock.ts'
import type { Database } from '../../db/database.ts'
import type { AnalysisService } from '../analysis/door.ts'
import type { Network } from '../egress/door.ts'
import type { Embedder } from './embedder.ts'
import type { Hosting } from '../hosting/door.ts'
import type { Plans } from '../license/door.ts'
import type { Mailer } from '../mail/door.ts'
import type { Vault } from '../vault/door.ts'

/** The data and the time: all that work without a service needs, as the commands about users do. */
export interface Store {
  readonly db: Database
  readonly clock: Clock
}

/** What the functions of every feature are given, as their first argument. */
export interface Deps extends Store {
  /** The address under which people reach the service, without a slash at the end; "" makes links relative. */
  readonly publicUrl: () => string
  /** The same and the addresses under which the service was reached before; none where it has no address. */
  readonly publicUrls: () => readonly string[]
  /** What each plan allows. */
  readonly plans: Plans
  /** Reads, lints and compares documents. */
  readonly analysis: AnalysisService
  /** Turns texts into vectors; null where no provider is configured. */
  readonly embedder: Embedder | null
  /** Sends mail; null where no mail server is configured. */
  readonly mail: Mailer | null
  /** Keeps secrets that must be read back. */
  readonly vault: Vault
  /** Networks beside the public internet that may be reached at addresses of users. */
  readonly egressAllow: readonly Network[]
  /** The providers of git repositories. */
  readonly hosting: Hosting
  /** Makes the job workers look at their queues now. */
  readonly wake: () => void
  /** Wakes the readers of events (server/outbox) of this process, if it runs any. */
  readonly wakeReaders: () => void
  /** Call it after a version changed its state: what was remembered of public documents is dropped. */
  readonly changed: () => void
}
