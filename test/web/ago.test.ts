import { expect, test } from 'bun:test'
import { daysUntil, relative } from '../../web/src/parts/ago.ts'

const now = Date.parse('2026-11-22T12:00:00.000Z')

test('an instant is said by how far it is, beyond a week by its date', () => {
  const said = (at: string) => relative(at, now, 'en')
  expect([
    said('2026-11-22T11:59:30.000Z'),
    said('2026-11-22T11:15:00.000Z'),
    said('2026-11-22T03:00:00.000Z'),
    said('2026-11-21T11:00:00.000Z'),
    said('2026-11-18T11:00:00.000Z'),
    said('2026-11-24T12:00:00.000Z'),
    said('2026-11-01T12:00:00.000Z'),
  ]).toEqual(['now', '45 min. ago', '9 hr. ago', 'yesterday', '4 days ago', 'in 2 days', 'Nov 1, 2026'])
})

test('days are counted as days of UTC, so that a sunset of today is today in every zone', () => {
  expect([
    daysUntil('2026-11-22T23:59:59.000Z', now),
    daysUntil('2026-11-23T00:00:00.000Z', now),
    daysUntil('2026-11-21T23:59:59.000Z', now),
  ]).toEqual([0, 1, -1])
})
