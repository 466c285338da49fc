import { isCalendarDate } from '../../kernel/calendar-date.ts'
import type { Json } from '../../kernel/json.ts'
import type { Operation } from '../model/api.ts'
import type { Context } from '../context.ts'
import { isSameValue } from '../sameness.ts'
import { objectAt } from '../side.ts'
import type { PlacedValue } from '../side.ts'
import { stabilityRank } from '../stability.ts'

/**
 * The day of an `x-sunset`: a calendar date, or the date of a point in time (RFC 3339). Null for anything else, which announces
 * nothing that one could plan by.
 */
export const sunsetDay = (value: Json | undefined): string | null => {
  if (typeof value !== 'string') return null
  const [day = '', ...time] = value.split(/[Tt ]/, 2)
  if (!isCalendarDate(day)) return null
  return time.length === 0 || /^\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.test(value.slice(11)) ? day : null
}

/** Whether a deprecated operation or parameter may be gone on the day of the comparison, by the sunset that it announced. */
export const isPastSunset = (deprecated: boolean, sunset: Json | undefined, asOf: string | null): boolean => {
  const day = sunsetDay(sunset)
  return deprecated && day !== null && asOf !== null && day <= asOf
}

/** What to say of a removal whose announced day cannot be read; undefined where it can, or none was announced. */
export const sunsetRemark = (deprecated: boolean, sunset: Json | undefined): string | undefined =>
  !deprecated || sunset === undefined || sunsetDay(sunset) !== null
    ? undefined
    : `its x-sunset ${JSON.stringify(sunset)} is not a calendar date`

/** Whether an announced day moved forward; a day that cannot be read any more is not announced. */
export const isEarlier = (before: Json | undefined, after: Json | undefined): boolean => {
  const [old, fresh] = [sunsetDay(before), sunsetDay(after)]
  return old !== null && (fresh === null || fresh < old)
}

/** Compares the day on which an operation ends (`x-sunset`). */
export const compareSunset = (context: Context, a: Operation, b: Operation, title: string): void => {
  const before = objectAt(a.place)['x-sunset']
  const after = objectAt(b.place)['x-sunset']
  if (isSameValue(before, after) || typeof before !== 'string') return
  const earlier = isEarlier(before, after)
  context.note(title, {
    direction: null,
    area: 'operation',
    kind: 'sunset',
    action: typeof after === 'string' ? 'changed' : 'removed',
    base: a.place,
    head: b.place,
    subject: title,
    before,
    after: after ?? null,
    breaking: earlier && b.deprecated,
    ...(earlier && b.deprecated ? { reason: 'who planned by the announced day has less time' } : {}),
  })
}

/** `x-stability-level` is text to everybody but those who agreed on it, so only a profile that knows it looks. */
export const compareStability = (context: Context, a: Operation, b: Operation, title: string): void => {
  const before = objectAt(a.place)['x-stability-level']
  const after = objectAt(b.place)['x-stability-level']
  if (context.profile.stances['stability-decreased'] === 'safe') return
  const [old, fresh] = [stabilityRank(before), stabilityRank(after)]
  const unknown = Math.min(old, fresh) < 0 && !isSameValue(a.place.value, b.place.value)
  if (old === fresh && !unknown) return
  context.note(title, {
    direction: null,
    area: 'operation',
    kind: 'stability',
    action: unknown || fresh < old ? 'decreased' : 'increased',
    base: a.place,
    head: b.place,
    subject: title,
    before: before ?? null,
    after: after ?? null,
    breaking: unknown || fresh < old,
    ...(unknown || fresh < old ? { policy: 'stability-decreased' as const } : {}),
  })
}

/** An operation that was announced as a draft or an alpha may go. */
export const isUnstable = (operation: Operation): boolean => {
  const rank = stabilityRank(objectAt(operation.place)['x-stability-level'])
  return rank === 0 || rank === 1
}

/** What a deprecation announces is not a date, or is in the past: it plans nothing. Only a profile that asks for it looks. */
export const compareAnnouncement = (
  context: Context,
  area: 'operation' | 'parameter',
  a: PlacedValue,
  b: PlacedValue,
  subject: string,
  title: string,
): void => {
  const [before, after] = [objectAt(a)['x-sunset'], objectAt(b)['x-sunset']]
  if (context.profile.stances['sunset-unreadable'] === 'safe') return
  if (before !== undefined || after === undefined || objectAt(b).deprecated !== true) return
  const announced = sunsetDay(after)
  if (announced !== null && (context.asOf === null || announced >= context.asOf)) return
  context.note(title, {
    direction: area === 'parameter' ? 'request' : null,
    area,
    kind: 'sunset',
    action: 'added',
    base: a,
    head: b,
    subject,
    before: null,
    after,
    breaking: true,
    policy: 'sunset-unreadable',
  })
}
