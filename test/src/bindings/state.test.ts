import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { bind, check, refuseBind, release, resolve, type Bound } from '../../../src/bindings/state.ts'

test('a draft is bound once, unless it is replaced; a published version never', () => {
  const cases = [
    [{ isPublished: false, isBound: false, replace: false }, null],
    [{ isPublished: false, isBound: true, replace: false }, 'binding-already-bound'],
    [{ isPublished: false, isBound: true, replace: true }, null],
    [{ isPublished: true, isBound: false, replace: false }, 'binding-version-published'],
    [{ isPublished: true, isBound: true, replace: true }, 'binding-version-published'],
  ] as const
  for (const [it, refusal] of cases) expect([it, refuseBind(it)]).toEqual([it, refusal])
})

const statuses = (it: Bound) => it.candidates.map(({ id, status, commit }) => `${id} ${status} ${commit}`)
const must = (it: Bound | string): Bound => {
  if (typeof it === 'string') throw new Error(it)
  return it
}

test('a ref that moved is a candidate; applying the newer one supersedes the older one', () => {
  const bound = bind('c1', 'd1')
  expect(check(bound, { commit: 'c1', digest: 'd1' }, 'x')).toBe('binding-unchanged')
  const one = must(check(bound, { commit: 'c2', digest: 'd2' }, 'a'))
  expect(check(one, { commit: 'c2', digest: 'd2' }, 'x')).toBe(one)
  const two = must(check(one, { commit: 'c3', digest: 'd3' }, 'b'))
  const applied = must(resolve(two, 'b', { status: 'applied', digest: 'd3' }))
  expect([applied.binding, statuses(applied)]).toEqual([
    { isActive: true, commit: 'c3', digest: 'd3', releaseReason: null },
    ['a superseded c2', 'b applied c3'],
  ])
  for (const id of ['a', 'b', 'none'])
    expect(resolve(applied, id, { status: 'dismissed' })).toBe('binding-candidate-resolved')
})

test('commits that did not touch the selection are one candidate', () => {
  const one = must(check(bind('c1', 'd1'), { commit: 'c2', digest: 'd1' }, 'a'))
  const two = must(check(one, { commit: 'c3', digest: 'd1' }, 'b'))
  expect(statuses(two)).toEqual(['a pending c3'])
  expect(statuses(must(check(two, { commit: 'c4', digest: 'd4' }, 'b')))).toEqual(['a pending c3', 'b pending c4'])
})

test('the last candidate that waits tells whether a commit that did not touch the selection advances it', () => {
  // The first one waits with the selection of the binding, the second one with another: a third one is needed.
  const one = must(check(bind('c1', 'd1'), { commit: 'c2', digest: 'd1' }, 'a'))
  const two = must(check(one, { commit: 'c3', digest: 'd2' }, 'b'))
  expect(statuses(must(check(two, { commit: 'c4', digest: 'd1' }, 'c')))).toEqual([
    'a pending c2',
    'b pending c3',
    'c pending c4',
  ])
  // And the other way round: the last one advances, whatever waits before it.
  const first = must(check(bind('c1', 'd1'), { commit: 'c2', digest: 'd2' }, 'a'))
  const second = must(check(first, { commit: 'c3', digest: 'd1' }, 'b'))
  expect(statuses(must(check(second, { commit: 'c4', digest: 'd1' }, 'c')))).toEqual(['a pending c2', 'b pending c4'])
})

test('a released binding has no pending candidate and stays as it is', () => {
  const one = must(check(bind('c1', 'd1'), { commit: 'c2', digest: 'd2' }, 'a'))
  const ended = release(one, 'unbound')
  expect([ended.binding.releaseReason, statuses(ended)]).toEqual(['unbound', ['a superseded c2']])
  expect(release(ended, 'replaced')).toBe(ended)
  expect(check(ended, { commit: 'c9', digest: 'd9' }, 'b')).toBe('binding-unchanged')
  expect(resolve(ended, 'a', { status: 'dismissed' })).toBe('binding-candidate-resolved')
})

type Step =
  | { readonly kind: 'check'; readonly commit: string; readonly digest: string }
  | { readonly kind: 'resolve'; readonly at: number; readonly apply: boolean }
  | { readonly kind: 'release' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('check' as const),
    commit: fc.constantFrom('c1', 'c2', 'c3', 'c4'),
    digest: fc.constantFrom('d1', 'd2'),
  }),
  fc.record({ kind: fc.constant('resolve' as const), at: fc.nat(5), apply: fc.boolean() }),
  fc.record({ kind: fc.constant('release' as const) }),
)

test('whatever happens: what is settled stays, only active bindings have pending candidates, the commit moves by applying alone', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let it = bind('c1', 'd1')
      for (const [n, one] of steps.entries()) {
        const next =
          one.kind === 'check'
            ? check(it, one, `candidate ${n}`)
            : one.kind === 'release'
              ? release(it, 'unbound')
              : resolve(
                  it,
                  it.candidates[one.at]?.id ?? 'none',
                  one.apply ? { status: 'applied', digest: 'd2' } : { status: 'dismissed' },
                )
        if (typeof next === 'string') continue
        for (const before of it.candidates)
          if (before.status !== 'pending') expect(next.candidates.find(({ id }) => id === before.id)).toEqual(before)
        expect(next.candidates.length).toBeGreaterThanOrEqual(it.candidates.length)
        if (!next.binding.isActive) expect(next.candidates.some(({ status }) => status === 'pending')).toBe(false)
        const pending = next.candidates.filter(({ status }) => status === 'pending').map(({ commit }) => commit)
        expect(new Set(pending).size).toBe(pending.length)
        if (next.binding.commit !== it.binding.commit) expect(one).toMatchObject({ kind: 'resolve', apply: true })
        it = next
      }
    }),
    { numRuns: 1000 },
  )
})
