import type { Json } from '../document/json.ts'
import type { Operation } from './api.ts'
import type { Context } from './compare-context.ts'
import { isSameValue } from './sameness.ts'
import { objectAt } from './side.ts'

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

const levels = ['draft', 'alpha', 'beta', 'stable']

/** Whether a level promises less than before; none at all is a stable one, and one that nobody knows promises nothing. */
const rankOf = (level: Json | undefined): number => (level === undefined ? 3 : levels.indexOf(String(level)))

/** `x-stability-level` is text to everybody but those who agreed on it, so only a profile that knows it looks. */
export const compareStability = (context: Context, a: Operation, b: Operation, title: string): void => {
  const before = objectAt(a.place)['x-stability-level']
  const after = objectAt(b.place)['x-stability-level']
  if (context.profile.stances['stability-decreased'] === 'safe' || rankOf(after) >= rankOf(before)) return
  context.note(title, {
    direction: null,
    area: 'operation',
    kind: 'stability',
    action: 'decreased',
    base: a.place,
    head: b.place,
    subject: title,
    before: before ?? null,
    after: after ?? null,
    breaking: true,
    policy: 'stability-decreased',
  })
}
