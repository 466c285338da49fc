/** How much a gateway may send. */
import { expect, test } from 'bun:test'
import { Throttle } from '../../../server/gateway/throttle.ts'

test('a gateway has as many as fill its bucket, and more with time', () => {
  const it = new Throttle({ perSecond: 50, most: 100 })
  expect([
    it.take('a', 80, 0),
    it.take('a', 80, 0),
    it.take('b', 80, 0),
    it.take('a', 80, 500),
    it.take('a', 200, 60_000),
    it.takeAll('a', 10, 60_000),
    it.takeAll('a', 10, 61_000),
  ]).toEqual([80, 20, 80, 25, 100, 1, 0])
})
