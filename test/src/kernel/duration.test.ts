import { expect, test } from 'bun:test'
import { formatDuration, parseDuration } from '../../../src/kernel/duration.ts'

test('durations have a unit; a bare number is seconds', () => {
  const read = ['500ms', '30s', '1.5m', '2h', '1d', '10', '0', ' 5s ', '0.01'].map(parseDuration)
  expect(read).toEqual([500, 30_000, 90_000, 7_200_000, 86_400_000, 10_000, 0, 5000, 10])
  expect(['', 's', '5 s', '-1s', '1w', '1h30m', '1e3', '999999999999d'].map(parseDuration)).toEqual(
    Array.from({ length: 8 }, () => null),
  )
})

test('a duration is written in the largest exact unit', () => {
  expect([0, 250, 1000, 1500, 60_000, 90_000, 3_600_000, 86_400_000].map(formatDuration)).toEqual([
    '0ms',
    '250ms',
    '1s',
    '1500ms',
    '1m',
    '90s',
    '1h',
    '1d',
  ])
})
