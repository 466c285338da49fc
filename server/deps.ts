import type { Database } from '../db/database.ts'
import type { Embedder } from './embeddings/provider.ts'
import type { Plans } from './license/plans.ts'

/** What every service is given. */
export interface Deps {
  readonly db: Database
  /** The clock. */
  readonly now: () => Date
  /** The address under which people reach the service, without a slash at the end; "" makes links relative. */
  readonly publicUrl: string
  /** What each plan allows. */
  readonly plans: Plans
  /** Turns texts into vectors; null where no provider is configured. */
  readonly embedder: Embedder | null
  /** Makes the job worker look at its queue now. */
  readonly wake: () => void
  /** Told after a version changed its state: what was remembered of it is forgotten. */
  readonly changed: () => void
}

/** An instant as the tables keep it. */
export const isoNow = (deps: Pick<Deps, 'now'>): string => deps.now().toISOString()
