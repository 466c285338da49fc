import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { decideApproval, stateOf, type Known } from '../../../src/mcp-catalogue/state.ts'

const nothing: Known = { approved: null, observed: null, lastFailure: null, conflicts: 0 }

test.each<[string, Partial<Known>, string]>([
  ['nothing was observed', {}, 'never-observed'],
  ['nothing was observed, since it needs credentials', { lastFailure: 'auth-required' }, 'auth-required'],
  ['nothing was observed, since it does not answer', { lastFailure: 'unreachable' }, 'unreachable'],
  ['it was observed', { observed: 'a' }, 'ok'],
  ['it was observed otherwise than declared', { observed: 'a', conflicts: 2 }, 'conflicting'],
  ['it is as it was approved', { observed: 'a', approved: 'a' }, 'ok'],
  [
    'it is as it was approved, and otherwise than declared',
    { observed: 'a', approved: 'a', conflicts: 1 },
    'conflicting',
  ],
  ['it is not as it was approved', { observed: 'b', approved: 'a' }, 'drifted'],
  [
    'it is not as it was approved, and does not answer',
    { observed: 'b', approved: 'a', lastFailure: 'unreachable' },
    'drifted',
  ],
  [
    'it was as it was approved, and does not answer',
    { observed: 'a', approved: 'a', lastFailure: 'unreachable' },
    'unreachable',
  ],
  [
    'it conflicts, and needs credentials now',
    { observed: 'a', conflicts: 1, lastFailure: 'auth-required' },
    'auth-required',
  ],
])('When %s', (_, known, state) => {
  expect(stateOf({ ...nothing, ...known })).toBe(state as ReturnType<typeof stateOf>)
})

test('Only what was observed last can be approved.', () => {
  expect(decideApproval({ approved: null, observed: null }, 'a')).toBe('stale')
  expect(decideApproval({ approved: null, observed: 'b' }, 'a')).toBe('stale')
  expect(decideApproval({ approved: 'a', observed: 'b' }, 'a')).toBe('stale')
  expect(decideApproval({ approved: 'a', observed: 'b' }, 'b')).toBe('approved')
  expect(decideApproval({ approved: null, observed: 'b' }, 'b')).toBe('approved')
  expect(decideApproval({ approved: 'b', observed: 'b' }, 'b')).toBe('unchanged')
})

type Event =
  | { readonly kind: 'observed'; readonly fingerprint: string; readonly conflicts: number }
  | { readonly kind: 'failed'; readonly reason: 'unreachable' | 'auth-required' }
  | { readonly kind: 'declared'; readonly conflicts: number }
  | { readonly kind: 'approve'; readonly fingerprint: string }

const fingerprint = fc.constantFrom('a', 'b', 'c')
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constant('observed' as const), fingerprint, conflicts: fc.nat(2) }),
  fc.record({
    kind: fc.constant('failed' as const),
    reason: fc.constantFrom('unreachable' as const, 'auth-required' as const),
  }),
  fc.record({ kind: fc.constant('declared' as const), conflicts: fc.nat(2) }),
  fc.record({ kind: fc.constant('approve' as const), fingerprint }),
)

/** What a service does with an event. */
function after(known: Known, entry: Event): Known {
  if (entry.kind === 'observed')
    return { ...known, observed: entry.fingerprint, lastFailure: null, conflicts: entry.conflicts }
  if (entry.kind === 'failed') return { ...known, lastFailure: entry.reason }
  // A declaration conflicts with what was observed, or with nothing.
  if (entry.kind === 'declared') return { ...known, conflicts: known.observed === null ? 0 : entry.conflicts }
  return decideApproval(known, entry.fingerprint) === 'approved' ? { ...known, approved: entry.fingerprint } : known
}

test('Whatever happens in whatever order', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      let known = nothing
      for (const it of events) {
        const before = known
        known = after(before, it)
        const state = stateOf(known)
        // An approval never covers anything but what was observed.
        if (known.approved !== before.approved) {
          expect(known.approved).toBe(before.observed)
          expect(state).not.toBe('drifted')
        }
        // Drift is exactly an observation that is not the approved one, and only an observation or an approval ends it.
        expect(state === 'drifted').toBe(known.approved !== null && known.approved !== known.observed)
        if (stateOf(before) === 'drifted' && (it.kind === 'failed' || it.kind === 'declared'))
          expect(state).toBe('drifted')
        // A declaration becomes no current version: neither what is observed nor what is approved follows from it.
        if (it.kind === 'declared') expect([known.observed, known.approved]).toEqual([before.observed, before.approved])
        if (it.kind === 'observed') expect(['ok', 'conflicting', 'drifted']).toContain(state)
        expect(state === 'never-observed').toBe(known.observed === null && known.lastFailure === null)
      }
    }),
    { numRuns: 500 },
  )
})
