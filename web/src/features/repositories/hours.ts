/** The polls of one hour, each in one part. */
export interface Hour {
  /** Where it begins, in milliseconds. */
  readonly at: number
  readonly unchanged: number
  readonly changed: number
  readonly failed: number
  readonly throttled: number
  readonly total: number
}

const hourMs = 3_600_000

/** The last 24 hours, those without a poll included; the present one is the last. */
export const hoursOf = (
  buckets: readonly {
    readonly at: string
    readonly polls: number
    readonly changed: number
    readonly throttled: number
    readonly failed: number
  }[],
  now: number,
): readonly Hour[] => {
  const known = new Map(buckets.map((it) => [Date.parse(it.at), it]))
  const last = Math.floor(now / hourMs) * hourMs
  return Array.from({ length: 24 }, (_, index) => {
    const at = last - (23 - index) * hourMs
    const { polls = 0, changed = 0, throttled = 0, failed = 0 } = known.get(at) ?? {}
    return { at, unchanged: polls - changed - failed, changed, failed, throttled, total: polls + throttled }
  })
}
