/** The chart of requests over time: where its axis ends. */
import { expect, test } from 'bun:test'
import { axisEnd } from '../../web/src/features/gateway/events/chart.tsx'

test('the axis ends at 1, 2 or 5 times a power of ten, never below the highest column', () => {
  expect([0, 1, 2, 3, 5, 6, 10, 11, 49, 50, 51, 201, 999, 1000, 1001].map(axisEnd)).toEqual([
    1, 1, 2, 5, 5, 10, 10, 20, 50, 50, 100, 500, 1000, 1000, 2000,
  ])
})
