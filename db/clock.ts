/** Tells the time. The program reads it here and nowhere else, so that a test can set it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Now, or `afterMs` later, as tables and answers keep it (see `isoOf`). */
  readonly iso: (afterMs?: number) => string
}

/**
 * An instant as tables and answers keep it: ISO 8601 in UTC with milliseconds, so that texts sort as instants do.
 * @param instant milliseconds since the epoch
 */
export const isoOf = (instant: number): string => new Date(instant).toISOString()

/** The clock over a source of milliseconds since the epoch: that of the machine when omitted. */
export const clockOf = (now: () => number = Date.now): Clock => ({ now, iso: (afterMs = 0) => isoOf(now() + afterMs) })
