import type { Database } from '../../db/database.ts'
import { recordAttempts, type Made } from './record-attempt.ts'
import type { Rules } from './state.ts'

/** How long attempts that ended are gathered before they are written. */
const gatherMs = 20

/** Writes what ends within a moment, or while others are written, together: one wait for the disk for many attempts. */
export class Recorder {
  readonly #db: Database
  readonly #rules: () => Rules
  readonly #onRetry: (dueAt: number) => void
  #batch: { readonly made: Made[]; readonly done: Promise<void> } | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** @param onRetry called with the instant at which the first of what failed is due again */
  constructor(db: Database, rules: () => Rules, onRetry: (dueAt: number) => void) {
    this.#db = db
    this.#rules = rules
    this.#onRetry = onRetry
  }

  /** Resolves when it is written. It fails with what failed: the delivery is due again when its claim has run out. */
  write(made: Made): Promise<void> {
    this.#batch ??= this.#begin()
    this.#batch.made.push(made)
    return this.#batch.done
  }

  #begin() {
    const made: Made[] = []
    const before = this.#last
    const write = async () => {
      await Promise.all([Bun.sleep(gatherMs), before])
      this.#batch = undefined
      const dueAt = await this.#db.inTransaction((tx) => recordAttempts(tx, made, this.#rules))
      if (dueAt !== null) this.#onRetry(dueAt)
    }
    const done = write()
    this.#last = done.catch(() => {})
    return { made, done }
  }
}
