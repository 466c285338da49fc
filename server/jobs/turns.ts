import { fairly, type DueJobs } from '../../db/jobs.ts'

// Who is not remembered counts as never served.
const mostRemembered = 10_000

/**
 * Whose turn it is at one worker. Of several jobs at a time no tenant has more than half, so that a tenant whose jobs take long
 * never keeps those of others waiting; among equals the one comes first whose last turn is longest ago.
 */
export class Turns {
  readonly #most: number
  readonly #busy = new Map<string, number>()
  // In the order of their last turns.
  readonly #served = new Map<string, number>()
  #turn = 0

  /** @param concurrency how many jobs run at a time */
  constructor(concurrency: number) {
    this.#most = Math.max(1, Math.ceil(concurrency / 2))
  }

  /** Puts what is due in the order in which it is claimed. */
  readonly order = (due: readonly DueJobs[]): readonly DueJobs[] =>
    fairly(
      due
        .filter(({ tenantId }) => (this.#busy.get(tenantId) ?? 0) < this.#most)
        // Who was served most recently is behind, whatever has waited longer.
        .map((it) => ({ ...it, since: String(this.#served.get(it.tenantId) ?? 0).padStart(16, '0') + it.since })),
    )

  /** Notes that a job of a tenant begins; call the answer when it has ended. */
  begin(tenantId: string): () => void {
    this.#busy.set(tenantId, (this.#busy.get(tenantId) ?? 0) + 1)
    this.#served.delete(tenantId)
    this.#served.set(tenantId, ++this.#turn)
    const [oldest] = this.#served.keys()
    if (this.#served.size > mostRemembered && oldest !== undefined) this.#served.delete(oldest)
    return () => {
      const left = (this.#busy.get(tenantId) ?? 1) - 1
      if (left === 0) this.#busy.delete(tenantId)
      else this.#busy.set(tenantId, left)
    }
  }
}
