/** What this process is at: requests and background work, so that a blocked event loop can be attributed to its work. */

/** One piece of work. */
export interface UnderWay {
  /** From a closed set, known once the work has found its way: "GET /v1/specs", "job import", "due repository.scan". */
  readonly name: () => string
  /** `performance.now()` when it began. */
  readonly since: number
}

const all = new Set<UnderWay>()
/** What ended lately: a stall is seen after the work that made it. */
const ended: UnderWay[] = []
const mostEnded = 16

/** Notes that work has begun; the function that it returns ends it. */
export function noteUnderWay(name: string | (() => string)): () => void {
  const one: UnderWay = { name: typeof name === 'string' ? () => name : name, since: performance.now() }
  all.add(one)
  return () => {
    if (!all.delete(one)) return
    ended.push(one)
    if (ended.length > mostEnded) ended.shift()
  }
}

/** What is under way, and what ended since the function was called last, the youngest first: what began last is at work most often. */
export function whatIsUnderWay(): readonly UnderWay[] {
  const seen = [...all, ...ended]
  ended.length = 0
  return seen.toSorted((a, b) => b.since - a.since)
}
