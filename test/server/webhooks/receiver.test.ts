/** What a worker holds of one subscription, under any order of claims, attempts and records. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { attemptsAtOnce, type Claim } from '../../../server/webhooks/claim.ts'
import { Receiver, type Taken } from '../../../server/webhooks/receiver.ts'
import { failuresBeforePause } from '../../../server/webhooks/state.ts'

const claimOf = (count: number, failures = 0, first = 0): Claim =>
  ({
    subscription: { id: 's', failures },
    deliveries: Array.from({ length: count }, (_, n) => ({ id: String(first + n) })),
    id: 'c',
    until: 0,
  }) as unknown as Claim

/** Takes everything that may begin. */
function begin(receiver: Receiver): Taken[] {
  const begun: Taken[] = []
  for (let it = receiver.next(); it !== undefined; it = receiver.next()) begun.push(it)
  return begun
}

test('a receiver that accepts fast gets more and more, up to a limit; a failure begins again with four', () => {
  const receiver = new Receiver()
  const round = (count: number, now: number, isAccepted = true) => {
    receiver.add(claimOf(count), [], now)
    for (let left = count; left > 0;) {
      const begun = begin(receiver)
      expect(begun.length).toBe(Math.min(left, attemptsAtOnce))
      for (const _ of begun) receiver.ended(isAccepted)
      left -= begun.length
    }
    receiver.release(count)
    return receiver.wants
  }
  expect(receiver.wants).toBe(4)
  expect(round(4, 0)).toBe(4)
  // 4 in 400 ms are 20 in 2 s.
  expect(round(4, 400)).toBe(20)
  expect(round(20, 410)).toBe(128)
  expect(round(4, 420, false)).toBe(128)
  expect(round(4, 430)).toBe(4)
  expect(round(4, 440)).toBe(128)
  expect([receiver.isIdle(441), receiver.isIdle(11_000)]).toEqual([false, true])
})

test('more is taken when fewer than four are held, and after a failure when all are done', () => {
  const receiver = new Receiver()
  receiver.add(claimOf(4), [], 0)
  const seen = [receiver.wants]
  begin(receiver)
  for (const isAccepted of [true, true]) {
    receiver.ended(isAccepted)
    receiver.release(1)
    seen.push(receiver.wants)
  }
  receiver.ended(false)
  receiver.release(1)
  seen.push(receiver.wants)
  receiver.ended(true)
  receiver.release(1)
  seen.push(receiver.wants)
  expect(seen).toEqual([0, 1, 2, 0, 4])
})

test('deliveries that come one by one to a receiver that hangs use all four places', () => {
  const receiver = new Receiver()
  const wants = []
  for (let n = 0; n < attemptsAtOnce; n++) {
    wants.push(receiver.wants)
    receiver.add(claimOf(1, 0, n), [], n)
    expect(begin(receiver).length).toBe(1)
  }
  expect([...wants, receiver.wants]).toEqual([4, 3, 2, 1, 0])
})

test('of a fast receiver half is done before more is taken, but no place of the four stays empty', () => {
  const receiver = new Receiver()
  for (const [count, now] of [
    [4, 0],
    [20, 400],
  ] as const) {
    receiver.add(claimOf(count), [], now)
    while (begin(receiver).length > 0) for (let n = 0; n < attemptsAtOnce; n++) receiver.ended(true)
    receiver.release(count)
  }
  receiver.add(claimOf(5), [], 8400)
  const seen = []
  for (let held = 5; held > 0; held--) {
    seen.push(receiver.wants)
    receiver.release(1)
  }
  expect(seen).toEqual([0, 0, 2, 3, 4])
})

/** A receiver that accepted so many deliveries within two seconds, all of which are recorded. */
function provenReceiver(count: number): Receiver {
  const receiver = new Receiver()
  receiver.add(claimOf(count), [], 0)
  while (begin(receiver).length > 0) for (let n = 0; n < attemptsAtOnce; n++) receiver.ended(true)
  receiver.release(count)
  return receiver
}

test('exactly half of what a fast receiver gets leaves room for the other half', () => {
  const receiver = provenReceiver(16)
  receiver.add(claimOf(9), [], 2000)
  expect(receiver.wants).toBe(0)
  receiver.release(1)
  expect(receiver.wants).toBe(8)
})

test('a receiver is forgotten after more than ten seconds without anything', () => {
  const receiver = new Receiver()
  receiver.add(claimOf(1), [], 5)
  expect(receiver.isIdle(100_000)).toBe(false)
  receiver.release(1)
  expect([receiver.isIdle(10_005), receiver.isIdle(10_006)]).toEqual([false, true])
})

test('failures are counted here while something is held, whatever the row of the subscription said when more was taken', () => {
  const receiver = new Receiver()
  receiver.add(claimOf(8, 0), [], 0)
  for (let n = 0; n < failuresBeforePause; n++) {
    receiver.next()
    receiver.ended(false)
  }
  receiver.release(failuresBeforePause)
  receiver.add(claimOf(2, 0, 8), [], 10)
  expect(begin(receiver).length).toBe(1)
})

test('one failure among many that were accepted begins again with four', () => {
  const receiver = provenReceiver(16)
  receiver.add(claimOf(8), [], 2000)
  for (const isAccepted of [false, true, true, true, true, true, true, true]) {
    receiver.next()
    receiver.ended(isAccepted)
  }
  receiver.release(8)
  receiver.add(claimOf(1), [], 2100)
  receiver.release(1)
  expect(receiver.wants).toBe(attemptsAtOnce)
})

test('attempts that were cut off are no failures', () => {
  const receiver = new Receiver()
  receiver.add(claimOf(12), [], 0)
  for (let n = 0; n <= failuresBeforePause; n++) {
    receiver.next()
    receiver.ended(null)
  }
  expect(begin(receiver).length).toBe(attemptsAtOnce)
})

test('after many failures one alone is tried, and the rest goes back', () => {
  const receiver = new Receiver()
  receiver.add(claimOf(3, failuresBeforePause), [], 0)
  expect(begin(receiver).map(({ delivery }) => delivery.id)).toEqual(['0'])
  expect(receiver.leftOver()).toEqual([])
  receiver.ended(false)
  expect(begin(receiver)).toEqual([])
  expect(receiver.leftOver().map(({ delivery }) => delivery.id)).toEqual(['1', '2'])
  expect(receiver.leftOver()).toEqual([])
})

test('never more than four at once; each delivery begins once or goes back once; nothing is held in the end', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), count: fc.integer({ min: 1, max: 9 }), failures: fc.nat(6) }),
    fc.record({ kind: fc.constant('end' as const), isAccepted: fc.constantFrom(true, false, null) }),
    fc.record({ kind: fc.constant('record' as const) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const receiver = new Receiver()
      const out: string[] = []
      let added = 0
      let underWay = 0
      let unrecorded = 0
      let now = 0
      const go = () => {
        for (const { delivery } of begin(receiver)) {
          out.push(delivery.id)
          underWay += 1
        }
        expect(underWay).toBeLessThanOrEqual(attemptsAtOnce)
        for (const { delivery } of receiver.leftOver()) {
          out.push(delivery.id)
          unrecorded += 1
        }
      }
      const end = (isAccepted: boolean | null): boolean => {
        if (underWay === 0) return false
        receiver.ended(isAccepted)
        underWay -= 1
        unrecorded += 1
        go()
        return true
      }
      const record = () => {
        receiver.release(unrecorded)
        unrecorded = 0
      }
      for (const it of steps) {
        now += 7
        if (it.kind === 'add') {
          receiver.add(claimOf(it.count, it.failures, added), [], now)
          added += it.count
          go()
        } else if (it.kind === 'end') end(it.isAccepted)
        else record()
      }
      while (end(true)) continue
      record()
      expect(out.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: added }, (_, n) => String(n)))
      expect(receiver.held).toBe(0)
    }),
  )
})
