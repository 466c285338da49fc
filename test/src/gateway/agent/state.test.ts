import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  afterOutcome,
  backoffMs,
  initialState,
  reportOf,
  resume,
  stepOf,
  type Outcome,
  type Ref,
  type ReleaseState,
} from '../../../../src/gateway/agent/state.ts'

const [a, b] = ['a', 'b'].map((it): Ref => ({ releaseId: `r-${it}`, digest: it.repeat(64) })) as [Ref, Ref]
const failure: Outcome = { kind: 'failed', error: 'no' }
const after = (state: ReleaseState, ...outcomes: Outcome[]): ReleaseState => outcomes.reduce(afterOutcome, state)
const activeA = after(
  initialState,
  { kind: 'offered', ref: a },
  { kind: 'prepared' },
  { kind: 'used' },
  { kind: 'watched' },
)

test('a release becomes active by being prepared, used and watched', () => {
  expect(stepOf(initialState)).toEqual({ kind: 'wait' })
  const offered = after(initialState, { kind: 'offered', ref: a })
  expect(stepOf(offered)).toEqual({ kind: 'prepare', ref: a })
  const prepared = after(offered, { kind: 'prepared' })
  expect(stepOf(prepared)).toEqual({ kind: 'use', ref: a })
  const used = after(prepared, { kind: 'used' })
  expect(stepOf(used)).toEqual({ kind: 'watch', ref: a })
  expect(after(used, { kind: 'watched' })).toEqual({ phase: 'idle', active: a, candidate: null, failed: null })
  expect([initialState, offered, prepared, used, activeA].map(reportOf)).toEqual([
    { releaseId: null, state: 'starting', error: null },
    null,
    null,
    null,
    { releaseId: 'r-a', state: 'active', error: null },
  ])
})

test('what the engine refuses before the link changes leaves it; afterwards the agent goes back until it is back', () => {
  const refused = after(activeA, { kind: 'offered', ref: b }, failure)
  expect(refused).toEqual({ phase: 'idle', active: a, candidate: null, failed: { ...b, error: 'no', breaks: false } })
  expect(reportOf(refused)).toEqual({ releaseId: 'r-b', state: 'failed', error: 'no' })
  for (const before of [[{ kind: 'prepared' }], [{ kind: 'prepared' }, { kind: 'used' }]] as Outcome[][]) {
    const broken = after(activeA, { kind: 'offered', ref: b }, ...before, failure)
    expect(stepOf(broken)).toEqual({ kind: 'use', ref: a })
    expect(reportOf(broken)).toEqual({ releaseId: 'r-b', state: 'failed', error: 'no' })
    // An engine that does not read the old one either is not running: the release is tried again when it is back.
    const down = after(broken, failure, failure)
    expect(stepOf(down)).toEqual({ kind: 'use', ref: a })
    expect(stepOf(after(down, { kind: 'used' }, { kind: 'offered', ref: b }))).toEqual({ kind: 'prepare', ref: b })
    expect(after(broken, { kind: 'used' })).toEqual(refused)
  }
})

test('a release that stopped the site is not tried again', () => {
  const broken = after(
    activeA,
    { kind: 'offered', ref: b },
    { kind: 'prepared' },
    { kind: 'used' },
    { kind: 'failed', error: 'no', breaks: true },
    { kind: 'used' },
  )
  expect(after(broken, { kind: 'offered', ref: b })).toEqual(broken)
  expect(after(broken, { kind: 'offered', ref: a })).toEqual(activeA)
})

test('a release that failed is tried again; another one takes its place', () => {
  const refused = after(activeA, { kind: 'offered', ref: b }, failure)
  const again = after(refused, { kind: 'offered', ref: b })
  expect(stepOf(again)).toEqual({ kind: 'prepare', ref: b })
  expect(after(again, { kind: 'prepared' }, { kind: 'used' }, { kind: 'watched' })).toEqual({ ...activeA, active: b })
  expect(after(refused, { kind: 'offered', ref: a })).toEqual(activeA)
  expect(after(activeA, { kind: 'offered', ref: { ...a, releaseId: 'r-9' } }).active?.releaseId).toBe('r-9')
})

const outcomes = fc.oneof(
  fc.constantFrom(a, b).map((ref): Outcome => ({ kind: 'offered', ref })),
  fc.constantFrom<Outcome>({ kind: 'prepared' }, { kind: 'used' }, { kind: 'watched' }),
  fc.boolean().map((breaks): Outcome => ({ kind: 'failed', error: 'no', breaks })),
)
/** What the link names: the last one that a step pointed it at. */
const linkAfter = (link: Ref | null, state: ReleaseState): Ref | null => {
  const step = stepOf(state)
  return step.kind === 'use' ? step.ref : link
}

test('whatever happens: only prepared releases are used, and at rest the link names the active one', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(outcomes, fc.boolean()), { maxLength: 40 }), (events) => {
      let state = initialState
      let link: Ref | null = null
      const prepared = new Set<string>()
      for (const [outcome, crashes] of events) {
        const step = stepOf(state)
        if (step.kind === 'prepare' && outcome.kind === 'prepared') prepared.add(step.ref.digest)
        link = linkAfter(link, state)
        state = afterOutcome(state, outcome)
        // A crash: the state is what was saved, the link what it was.
        if (crashes) state = resume(state, ({ digest }) => prepared.has(digest))
        const next = stepOf(state)
        if (next.kind === 'use' || next.kind === 'watch')
          expect(next.ref === null || prepared.has(next.ref.digest)).toBeTrue()
        if (next.kind === 'wait') expect(link?.digest).toBe(state.active?.digest)
        if (next.kind === 'watch') expect(link?.digest).toBe(next.ref.digest)
        expect(state.candidate === null || state.phase !== 'return').toBeTrue()
        expect(reportOf(state)?.state === 'active' && next.kind !== 'wait').toBeFalse()
      }
    }),
    { numRuns: 1000 },
  )
})

test('after a crash: what was used is used again, what is incomplete is not, what was being left is left', () => {
  const whole =
    (...refs: Ref[]) =>
    (it: Ref) =>
      refs.some(({ digest }) => digest === it.digest)
  const swapping = after(activeA, { kind: 'offered', ref: b }, { kind: 'prepared' })
  const watching = after(swapping, { kind: 'used' })
  expect(resume(watching, whole(a, b))).toEqual(swapping)
  expect(resume(swapping, whole(a))).toEqual({ ...activeA, phase: 'return' })
  expect(resume(swapping, whole())).toEqual({ ...initialState, phase: 'return' })
  expect(resume(activeA, whole())).toEqual({ ...initialState, phase: 'return' })
  expect(resume(after(activeA, { kind: 'offered', ref: b }), whole(a, b))).toEqual(activeA)
  expect(stepOf(resume(after(watching, failure), whole(a, b)))).toEqual({ kind: 'use', ref: a })
})

test('pauses double up to a limit, and half of each is random', () => {
  expect([1, 2, 3, 7, 50].map((n) => backoffMs(n, 1))).toEqual([1000, 2000, 4000, 60_000, 60_000])
  expect([0, 0.5, 1].map((random) => backoffMs(3, random))).toEqual([2000, 3000, 4000])
})

test('an outcome that does not belong to the state changes nothing', () => {
  const returning: ReleaseState = { phase: 'return', active: a, candidate: null, failed: null }
  for (const outcome of [failure, { kind: 'watched' }, { kind: 'prepared' }] as Outcome[])
    expect(after(returning, outcome)).toEqual(returning)
  for (const outcome of [failure, { kind: 'used' }, { kind: 'watched' }, { kind: 'prepared' }] as Outcome[])
    expect(after(activeA, outcome)).toEqual(activeA)
  // On the way back to a release that never failed nothing is known yet.
  expect(reportOf(returning)).toBe(null)
})
