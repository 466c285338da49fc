import type { Json } from '../../document/json.ts'
import type { Operation } from '../model/api.ts'
import type { Context } from '../context.ts'
import { isSameValue } from '../sameness.ts'
import { objectAt } from '../side.ts'
import type { Place } from '../side.ts'
import { stabilityRank } from '../stability.ts'

const day = /^\d{4}-\d\d-\d\d/

/** Whether an announced day moved forward; a day that cannot be read any more is none. */
export const isEarlier = (before: string, after: Json | undefined): boolean =>
  typeof after !== 'string' || (day.test(before) && !day.test(after)) || after < before

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

/** What a deprecation announces is no day, or one that is over: it plans nothing. Only a profile that asks for it looks. */
export const compareAnnouncement = (
  context: Context,
  area: 'operation' | 'parameter',
  a: Place,
  b: Place,
  subject: string,
  title: string,
): void => {
  const [before, after] = [objectAt(a)['x-sunset'], objectAt(b)['x-sunset']]
  if (context.profile.stances['sunset-unreadable'] === 'safe') return
  if (before !== undefined || after === undefined || objectAt(b).deprecated !== true) return
  const past = context.asOf !== null && typeof after === 'string' && after < context.asOf
  if (typeof after === 'string' && day.test(after) && !past) return
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
