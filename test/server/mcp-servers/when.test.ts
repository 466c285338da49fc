import { expect, test } from 'bun:test'
import { nextObservation } from '../../../server/mcp-servers/when.ts'

const hour = 3_600_000
const hours = (state: Parameters<typeof nextObservation>[0]['state'], failures: number, chance = 0.5): number =>
  nextObservation({ state, failures }, 1000 * hour, chance) / hour - 1000

test('a server is observed each day, twenty per cent earlier or later', () => {
  expect([hours('ok', 0, 0), hours('ok', 0), hours('ok', 0, 1)].map((it) => Math.round(it * 10) / 10)).toEqual([
    19.2, 24, 28.8,
  ])
  expect([hours('conflicting', 0), hours('auth-required', 3)]).toEqual([24, 24])
})

test('each hour while it differs from what was approved, and less and less often while it fails', () => {
  expect(hours('drifted', 0)).toBe(1)
  expect([1, 2, 3, 4, 5, 6, 60].map((failures) => hours('unreachable', failures))).toEqual([1, 2, 4, 8, 16, 24, 24])
})
