import { isCalendarDate } from '../kernel/calendar-date.ts'
import { isObject } from '../kernel/json.ts'
import type { Json } from '../kernel/json.ts'
import type { Change } from './change.ts'
import type { Ignored } from './options.ts'

/**
 * Reads a list of accepted changes: `[{match, reason, until?}]`, or the same under "ignore". An entry without a reason is
 * refused, because no one could later tell why it is there.
 *
 * @returns the entries, or what is wrong with them in a few words.
 */
export const readIgnoreList = (value: Json): readonly Ignored[] | string => {
  const list = isObject(value) ? value.ignore : value
  if (!Array.isArray(list)) return 'it has to be a list of {match, reason, until}'
  const result: Ignored[] = []
  for (const [i, it] of (list as readonly Json[]).entries()) {
    if (!isObject(it)) return `entry ${i + 1} must be an object`
    const { match, reason, until } = it
    if (typeof match !== 'string' || match === '') return `entry ${i + 1} names no fingerprint or rule under "match"`
    if (typeof reason !== 'string' || reason.trim() === '') return `entry ${i + 1} gives no reason`
    if (until !== undefined && (typeof until !== 'string' || !isCalendarDate(until)))
      return `"until" of entry ${i + 1} must be a calendar date such as 2026-01-31`
    result.push({ match, reason, ...(typeof until === 'string' ? { until } : {}) })
  }
  return result
}

/** Whether an entry is about a change: by the id of its rule, its fingerprint, or the first eight or more characters of that. */
export const accepts = ({ match }: Ignored, { id, fingerprint }: Pick<Change, 'id' | 'fingerprint'>): boolean =>
  match === id || (/^#?[0-9a-f]{8,32}$/.test(match) && fingerprint.startsWith(match.replace('#', '')))
