/** Whose turn it is: whatever organizations have waiting, none has more than half, and each comes in turn. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Share } from '../../../server/loop/share.ts'

const due = (tenantId: string | null, since: string) => ({ tenantId, since })
const shown = (order: readonly ReturnType<typeof due>[]) => order.map(({ tenantId, since }) => `${tenantId}${since}`)

test('of many one organization has half, rounded up, and one place where there is one', () => {
  for (const [capacity, half] of [
    [1, 1],
    [2, 1],
    [3, 2],
    [8, 4],
  ] as const) {
    const share = new Share(capacity)
    expect(share.freeOf('a')).toBe(half)
    for (let n = 0; n < half; n++) share.begin('a')
    expect([share.freeOf('a'), share.full, share.free]).toEqual([0, ['a'], capacity - half])
  }
})

test('work of the whole service is limited by the whole only', () => {
  const share = new Share(2)
  const ends = [share.begin(null), share.begin(null)]
  expect([share.free, share.full]).toEqual([0, []])
  ends.forEach((end) => end())
  expect(share.free).toBe(2)
})

test('organizations take turns; who was served longest ago comes first, then who waits longest', () => {
  const share = new Share(8)
  const waiting = [due('a', '1'), due('a', '2'), due('a', '3'), due('b', '9'), due('c', '8')]
  expect(shown(share.order(waiting))).toEqual(['a1', 'c8', 'b9', 'a2', 'a3'])
  for (const tenantId of ['c', 'a']) share.begin(tenantId)()
  expect(shown(share.order(waiting))).toEqual(['b9', 'c8', 'a1', 'a2', 'a3'])
})

test('what is told to go before goes before, and turns count within it', () => {
  const share = new Share(8)
  const waiting = [due('a', '1'), due('b', '2'), due('a', '3'), due('b', '4')]
  const late = (a: { readonly since: string }, b: { readonly since: string }) =>
    Number(b.since > '2') - Number(a.since > '2')
  expect(shown(share.order(waiting, late))).toEqual(['a3', 'b4', 'a1', 'b2'])
})

test('organizations that have their part are left out until something of theirs ends', () => {
  const share = new Share(2)
  const end = share.begin('a')
  expect(shown(share.order([due('a', '1'), due('b', '2')]))).toEqual(['b2'])
  end()
  expect(shown(share.order([due('a', '1'), due('b', '2')]))).toEqual(['b2', 'a1'])
})

test('under any order of beginnings and ends the counts are those of a plain list', () => {
  const tenant = fc.constantFrom('a', 'b', 'c', null)
  const step = fc.oneof(fc.record({ begin: tenant }), fc.record({ end: fc.nat(20) }))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 60 }), (capacity, steps) => {
      const share = new Share(capacity)
      const half = Math.max(1, Math.ceil(capacity / 2))
      const running: { readonly tenantId: string | null; readonly end: () => void }[] = []
      for (const one of steps) {
        if ('end' in one) running.splice(one.end % Math.max(1, running.length), 1)[0]?.end()
        else if (share.free > 0 && share.freeOf(one.begin) > 0)
          running.push({ tenantId: one.begin, end: share.begin(one.begin) })
        const of = (tenantId: string | null) => running.filter((it) => it.tenantId === tenantId).length
        expect(share.free).toBe(capacity - running.length)
        for (const tenantId of ['a', 'b', 'c']) {
          expect(of(tenantId)).toBeLessThanOrEqual(half)
          expect(share.freeOf(tenantId)).toBe(half - of(tenantId))
        }
        expect([...share.full].toSorted()).toEqual(['a', 'b', 'c'].filter((tenantId) => of(tenantId) === half))
      }
    }),
  )
})

test('an organization that always has work waits for no more than one turn of each other one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 6 }),
      fc.array(fc.nat(5), { minLength: 30, maxLength: 60 }),
      (tenants, ages) => {
        const share = new Share(1)
        const names = Array.from({ length: tenants }, (_, n) => String(n))
        const served: string[] = []
        for (const age of ages) {
          // Each has something, and some have much that waits longer.
          const waiting = names.flatMap((name, n) =>
            Array.from({ length: 1 + ((age + n) % 3) }, () => due(name, String(age))),
          )
          const [first] = share.order(waiting)
          if (first?.tenantId === null || first === undefined) throw new Error('nothing is due')
          served.push(first.tenantId)
          share.begin(first.tenantId)()
        }
        for (let at = 0; at + tenants <= served.length; at++)
          expect(new Set(served.slice(at, at + tenants)).size).toBe(tenants)
      },
    ),
  )
})
