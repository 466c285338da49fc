/** Which refusals of a hook are written. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Refusals } from '../../../server/auth/refusals.ts'
import { Writing } from '../../../server/hooks/writing.ts'
import { SvcError } from '../../../src/errors.ts'

test('five are written one by one, then one in ten seconds, which stands for all', () => {
  const writing = new Writing()
  const at = (now: number, hook = 'a') => writing.take(hook, now)
  expect([1, 2, 3, 4, 5, 6, 7].map((now) => at(now))).toEqual([1, 1, 1, 1, 1, 0, 0])
  expect(at(7, 'b')).toBe(1)
  expect([at(10_000), at(10_001), at(10_002)]).toEqual([0, 4, 0])
})

test('each refusal is written once, and no more than one in ten seconds beside the first five', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9000 }), { maxLength: 200 }), (pauses) => {
      const writing = new Writing()
      let now = 0
      const stands: number[] = []
      for (const pause of pauses) {
        now += pause
        stands.push(writing.take('a', now))
      }
      const written = stands.filter((it) => it > 0).length
      expect(written).toBeLessThanOrEqual(5 + Math.ceil(now / 10_000))
      const last = stands.findLastIndex((it) => it > 0)
      expect(stands.reduce((sum, it) => sum + it, 0)).toBe(last + 1)
    }),
  )
})

test('a network that is refused often is told less, then not heard, by its first 64 bits, until the minute is over', () => {
  const refusals = new Refusals(2, 4)
  const waitOf = (act: () => void): unknown => {
    try {
      act()
      return 'heard'
    } catch (error) {
      return error instanceof SvcError ? (error.detail as { retry_after: number }).retry_after : error
    }
  }
  const count = (now: number, address: string) => waitOf(() => refusals.count('a', address, now))
  const heard = (now: number, address: string, subject = 'a') => waitOf(() => refusals.assert(subject, address, now))
  expect([count(0, '2001:db8::1'), count(1000, '2001:db8::2'), count(2000, '2001:db8::3')]).toEqual([
    'heard',
    'heard',
    58,
  ])
  expect(heard(2000, '2001:db8::1')).toBe('heard')
  count(3000, '2001:db8::1')
  expect([heard(4000, '2001:db8::4'), heard(4000, '2001:db8:0:1::4'), heard(4000, '2001:db8::4', 'b')]).toEqual([
    56,
    'heard',
    'heard',
  ])
  expect([heard(60_000, '2001:db8::1'), count(60_000, '2001:db8::1')]).toEqual(['heard', 'heard'])
})
