import { expect, test } from 'bun:test'
import { TookTooLong, withinTime } from '../../../src/host/native.ts'

test('a computation has a time of its own, and what it throws comes out', () => {
  expect(withinTime(10_000, () => withinTime(10_000, () => 1) + withinTime(10_000, () => 2))).toBe(3)
  expect(() =>
    withinTime(10_000, () => {
      throw new RangeError('its own')
    }),
  ).toThrow(new RangeError('its own'))
})

test('a computation that takes too long is stopped, also where it catches everything', () => {
  let turns = 0
  const endless = (): never => {
    for (;;)
      try {
        for (;;) turns++
      } catch {
        turns = 0
      }
  }
  expect(() => withinTime(50, endless)).toThrow(TookTooLong)
  expect(turns).toBeGreaterThan(0)
  expect(withinTime(10_000, () => 'after it')).toBe('after it')
})
