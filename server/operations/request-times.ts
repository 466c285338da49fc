/** How long the operations of this process take, for who runs it. */

/** Each limit is a sixth above the one before: from 0.1 ms to an hour in 120 steps, so a time is off by a sixth at most. */
const growth = 7 / 6
const steps = 120
const leastMs = 0.1
const stepOf = (ms: number): number =>
  Math.min(steps - 1, Math.max(0, Math.ceil(Math.log(ms / leastMs) / Math.log(growth))))
const limitOf = (step: number): number => leastMs * growth ** step

interface Times {
  count: number
  sumMs: number
  maxMs: number
  /** How many took at most the limit of each step. */
  readonly byStep: Uint32Array
}

/** How long the requests of an operation took, in milliseconds. */
export interface OperationTimes {
  readonly operation: string
  readonly count: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly maxMs: number
}

const windowMs = 30 * 60_000
/** Operations are a closed set; this keeps them so, whatever is asked. */
const maxOperations = 2000

/** Times of the present half hour and of the one before. */
export class RequestTimes {
  #now = new Map<string, Times>()
  #before = new Map<string, Times>()
  #began: number
  /** @param at milliseconds since the epoch */
  constructor(at: number) {
    this.#began = at
  }

  /** @param at milliseconds since the epoch */
  note(operation: string, ms: number, at: number): void {
    this.#turn(at)
    let times = this.#now.get(operation)
    if (times === undefined) {
      if (this.#now.size >= maxOperations) return
      times = { count: 0, sumMs: 0, maxMs: 0, byStep: new Uint32Array(steps) }
      this.#now.set(operation, times)
    }
    times.count += 1
    times.sumMs += ms
    times.maxMs = Math.max(times.maxMs, ms)
    const step = stepOf(ms)
    times.byStep[step] = (times.byStep[step] ?? 0) + 1
  }

  /** The operations that took most time together, at most `limit`, the first one most. */
  slowest(limit: number, at: number): OperationTimes[] {
    this.#turn(at)
    const names = new Set([...this.#now.keys(), ...this.#before.keys()])
    const all = [...names].map((operation) => {
      const parts = [this.#now.get(operation), this.#before.get(operation)].filter((one) => one !== undefined)
      return { operation, parts, sumMs: parts.reduce((sum, one) => sum + one.sumMs, 0) }
    })
    return all
      .toSorted((a, b) => b.sumMs - a.sumMs)
      .slice(0, limit)
      .map(({ operation, parts }) => ({
        operation,
        count: parts.reduce((sum, one) => sum + one.count, 0),
        p50Ms: quantile(parts, 0.5),
        p95Ms: quantile(parts, 0.95),
        maxMs: Math.max(...parts.map((one) => one.maxMs)),
      }))
  }

  #turn(at: number): void {
    if (at - this.#began < windowMs) return
    this.#before = at - this.#began < 2 * windowMs ? this.#now : new Map()
    this.#now = new Map()
    this.#began = at
  }
}

/** The limit that at least this part of all times is within, never above the longest. */
function quantile(parts: readonly Times[], part: number): number {
  const wanted = part * parts.reduce((sum, one) => sum + one.count, 0)
  const longest = Math.max(...parts.map((one) => one.maxMs))
  let seen = 0
  for (let step = 0; step < steps; step++) {
    for (const { byStep } of parts) seen += byStep[step] ?? 0
    if (seen >= wanted) return Math.min(longest, limitOf(step))
  }
  return longest
}

/** Those of this process. */
export const requestTimes = new RequestTimes(Date.now())
