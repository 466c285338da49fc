import type { EndpointRow } from './record.ts'

const hourMs = 3_600_000

/** By how much an instant moves, so that servers that were imported together are not all asked together. */
const spread = 0.2

/** Longest pause after failures. */
const mostHours = 24

function hoursUntil(state: EndpointRow['state'], failures: number): number {
  if (state === 'unreachable') return Math.min(mostHours, 2 ** Math.max(0, failures - 1))
  return state === 'drifted' ? 1 : mostHours
}

/**
 * When a server is observed next: each day, each hour while it differs from what was approved, and after 1, 2, 4 … hours where it
 * could not be reached.
 * @param chance between 0 and 1
 * @returns milliseconds since the epoch
 */
export function nextObservation(
  { state, failures }: Pick<EndpointRow, 'state' | 'failures'>,
  now: number,
  chance = Math.random(),
): number {
  return now + hoursUntil(state, failures) * hourMs * (1 - spread + 2 * spread * chance)
}
