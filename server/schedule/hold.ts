import type { Database } from '../../db/database.ts'
import type { Clock } from '../../db/clock.ts'
import { moveRow, type DueRow } from './rows.ts'

/**
 * How long a piece of work belongs to a process that says nothing more. Another one sees it after that at its next look, five seconds after
 * a crash at the latest.
 */
export const leaseMs = 2500
const renewEveryMs = 700

export interface HoldOptions {
  readonly db: Database
  readonly clock: Clock
  readonly row: DueRow
  /** The instant until which the row was taken. */
  readonly until: number
  /** How long it is renewed at most. */
  readonly longestMs: number
  readonly onFault: (fault: unknown) => void
}

/** Keeps a row that was taken for this process: its instant is moved ahead again and again. */
export class Hold {
  readonly #options: HoldOptions
  readonly #timer: ReturnType<typeof setInterval>
  readonly #end: number
  #until: number
  #renewing: Promise<void> = Promise.resolve()

  constructor(options: HoldOptions) {
    this.#options = options
    this.#until = options.until
    this.#end = performance.now() + options.longestMs
    this.#timer = setInterval(() => {
      this.#renewing = this.#renewing.then(() => this.#renew())
    }, renewEveryMs)
    this.#timer.unref()
  }

  async #renew(): Promise<void> {
    const { db, clock, row, onFault } = this.#options
    if (performance.now() > this.#end) return clearInterval(this.#timer)
    const next = clock.now() + leaseMs
    try {
      // Where its subject changed meanwhile, or another process has it, that remains.
      if (await moveRow(db, row, this.#until, next)) this.#until = next
      else clearInterval(this.#timer)
    } catch (fault) {
      // The database may be back before the lease runs out.
      onFault(fault)
    }
  }

  /** The instant until which this process has it, as far as it knows. */
  get until(): number {
    return this.#until
  }

  /** Whether it is renewed no more, however long the work takes. */
  get isOver(): boolean {
    return performance.now() > this.#end
  }

  /** Ends renewing it. @returns the instant until which the row was taken */
  async end(): Promise<number> {
    clearInterval(this.#timer)
    await this.#renewing
    return this.#until
  }
}
