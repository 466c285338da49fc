/** How much a gateway may send. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { takeFrom, Throttle } from '../../../server/gateway/throttle.ts'

const limit = { perSecond: 50, most: 100 }

test('a gateway has as many as its allowance holds, and more with time', () => {
  let fullAt = 0
  const take = (wanted: number, now: number): number => {
    const it = takeFrom(limit, fullAt, wanted, now)
    fullAt = it.fullAt
    return it.given
  }
  expect([take(80, 0), take(80, 0), take(80, 0), take(80, 500), take(200, 60_000), take(10, 60_000), take(10, 61_000)]).toEqual([
    80, 20, 0, 25, 100, 0, 10,
  ]) // prettier-ignore
  // What another process wrote with a clock that is far ahead counts as empty, not as closed for as long.
  expect([takeFrom(limit, 10_000_000, 5, 0), takeFrom(limit, 10_000_000, 5, 0).fullAt]).toEqual([
    { given: 0, fullAt: 2000 },
    2000,
  ])
})

test('over any time no more is given than the allowance and what filled it', () => {
  const asked = fc.array(fc.tuple(fc.nat(3000), fc.nat(150)), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(asked, (list) => {
      let [now, fullAt, total] = [0, 0, 0]
      for (const [pause, wanted] of list) {
        now += pause
        const it = takeFrom(limit, fullAt, wanted, now)
        fullAt = it.fullAt
        total += it.given
        expect(total).toBeLessThanOrEqual(limit.most + (now / 1000) * limit.perSecond)
      }
    }),
  )
})

test('lines are taken all or not at all, by gateway', () => {
  const it = new Throttle(limit)
  expect([
    it.takeAll('a', 80, 0),
    it.takeAll('a', 30, 0),
    it.takeAll('b', 100, 0),
    it.takeAll('a', 20, 0),
    it.takeAll('a', 60, 1000),
    it.takeAll('a', 60, 1200),
  ]).toEqual([0, 1, 0, 0, 1, 0])
})
