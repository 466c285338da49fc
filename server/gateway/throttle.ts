/** How much one gateway may send: what a process remembers of each, and forgets. */

/** A bucket that fills at a rate, up to a most. */
interface Bucket {
  left: number
  at: number
}

interface Limit {
  readonly perSecond: number
  readonly most: number
}

/** Rows of events that a gateway may begin: after a pause as many as ten seconds give. */
export const rowLimit: Limit = { perSecond: 50, most: 500 }
/** Lines that are looked at, whatever becomes of them. */
export const lineLimit: Limit = { perSecond: 1000, most: 10_000 }

// A process forgets gateways that did not send for long; a full bucket is what a new one has.
const mostRemembered = 10_000

/** Buckets by gateway. */
export class Throttle {
  readonly #buckets = new Map<string, Bucket>()
  readonly #limit: Limit

  constructor(limit: Limit) {
    this.#limit = limit
  }

  #bucketOf(key: string, now: number): Bucket {
    const { perSecond, most } = this.#limit
    const known = this.#buckets.get(key) ?? { left: most, at: now }
    const left = Math.min(most, known.left + (Math.max(0, now - known.at) / 1000) * perSecond)
    const bucket = { left, at: Math.max(now, known.at) }
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > mostRemembered && oldest !== undefined) this.#buckets.delete(oldest)
    return bucket
  }

  /** Takes as many as there are, up to `wanted`; answers how many. */
  take(key: string, wanted: number, now: number): number {
    const bucket = this.#bucketOf(key, now)
    const given = Math.min(wanted, Math.floor(bucket.left))
    bucket.left -= given
    return given
  }

  /** Takes all or nothing; answers in how many seconds there will be enough, 0 where they were taken. */
  takeAll(key: string, wanted: number, now: number): number {
    const bucket = this.#bucketOf(key, now)
    if (bucket.left >= wanted) {
      bucket.left -= wanted
      return 0
    }
    return Math.max(1, Math.ceil((wanted - bucket.left) / this.#limit.perSecond))
  }
}
