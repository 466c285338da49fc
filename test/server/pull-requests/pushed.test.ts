import { expect, test } from 'bun:test'
import { Pushed } from '../../../server/pull-requests/pushed.ts'

const refs = (branches: Readonly<Record<string, string>>) => ({
  head: null,
  branches: new Map(Object.entries(branches)),
  tags: new Map(),
})
const named = (n: number, commit: string) =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`b${String(i).padStart(4, '0')}`, commit]))
const moved = (of: Pushed): readonly string[] => of.branches.map(([branch]) => branch)

test('the first look has no pushed branches; after that those that moved, came back, or are new', () => {
  const first = new Pushed(refs({ a: '1', b: '1' }), null)
  expect([moved(first), first.hasMore, first.kept]).toEqual([[], false, first.complete])
  const next = new Pushed(refs({ a: '1', b: '2', c: '1' }), first.complete)
  expect(moved(next)).toEqual(['b', 'c'])
  next.done(['b', '2'])
  // c was not reported on: it is pushed still.
  expect(moved(new Pushed(refs({ a: '1', b: '2', c: '1' }), next.kept))).toEqual(['c'])
  expect(moved(new Pushed(refs({ a: '1', b: '2', c: '1' }), next.complete))).toEqual([])
  // A digest of an earlier release says nothing about branches.
  expect(moved(new Pushed(refs({ a: '1' }), 'f'.repeat(64)))).toEqual([])
})

test('one look has at most 20, and the others follow', () => {
  const before = new Pushed(refs(named(45, '1')), null).complete
  const sizes: number[] = []
  const seen = new Set<string>()
  let kept = before
  for (let n = 0; n < 4; n++) {
    const look = new Pushed(refs(named(45, '2')), kept)
    for (const branch of look.branches) {
      look.done(branch)
      seen.add(branch[0])
    }
    sizes.push(look.branches.length)
    expect(look.hasMore).toBe(n < 2)
    kept = look.kept
  }
  expect([sizes, seen.size]).toEqual([[20, 20, 5, 0], 45])
})

test('of more than 1,000 branches none is reported on, and what is kept stays small', () => {
  const full = new Pushed(refs(named(1000, '1')), null)
  const more = new Pushed(refs(named(1001, '2')), full.complete)
  expect([full.complete.length, more.complete.length, moved(more), more.hasMore]).toEqual([8006, 64, [], false])
  expect(more.kept).toBe(more.complete)
  // Below the limit again, the first look only sees.
  expect(moved(new Pushed(refs(named(1000, '3')), more.complete))).toEqual([])
})
