import { expect, test } from 'bun:test'
import { type Decision, decideRefresh, settledBy } from '../../../server/repository-sync/refresh-decision.ts'

const draft = { status: 'draft' as const, digest: 'd1', label: '1.0.0' }
const entry = {
  isTheirsSame: false,
  version: draft,
  importedDigest: 'd1',
  policy: 'hold-for-review' as const,
  commit: 'abcdef0123',
}
const edited = { ...draft, digest: 'd2' }

test('a file that did not change is kept, whatever became of the draft', () => {
  for (const version of [draft, edited, null])
    expect(decideRefresh({ ...entry, isTheirsSame: true, version })).toEqual({ kind: 'keep' })
})

test('a file that changed alone is taken, whatever the policy', () => {
  for (const policy of ['overwrite', 'hold-for-review', 'new-branch'] as const)
    expect(decideRefresh({ ...entry, policy })).toEqual({
      kind: 'import',
      label: '1.0.0',
      isBranched: false,
      keepAs: null,
    })
})

test('where both sides changed the policy decides, and nothing that was edited here is lost', () => {
  const by = (policy: 'overwrite' | 'hold-for-review' | 'new-branch') =>
    decideRefresh({ ...entry, version: edited, policy })
  expect(by('overwrite')).toEqual({
    kind: 'import',
    label: '1.0.0',
    isBranched: false,
    keepAs: '1.0.0-before-abcdef0',
  })
  expect(by('new-branch')).toEqual({ kind: 'import', label: '1.0.0-abcdef0', isBranched: true, keepAs: null })
  expect(by('hold-for-review')).toEqual({ kind: 'hold' })
})

test('what was published stays, and what was deleted is not made again', () => {
  for (const digest of ['d1', 'd2'])
    expect(
      decideRefresh({ ...entry, policy: 'overwrite', version: { ...draft, status: 'published', digest } }),
    ).toEqual({
      kind: 'import',
      label: '1.0.0-abcdef0',
      isBranched: true,
      keepAs: null,
    })
  expect(decideRefresh({ ...entry, version: null })).toEqual({
    kind: 'fail',
    error: 'the version that it was imported to was deleted',
  })
})

type Kept = Exclude<Decision, { readonly kind: 'import' }>
type Before = Parameters<typeof settledBy>[1]
const settled = (
  decision: Kept,
  before: Partial<Before> = {},
  trigger: 'manual' | 'webhook' | 'poll' | 'retry' = 'poll',
) =>
  settledBy(
    decision,
    { refreshStatus: 'up-to-date', divergedAt: null, ...before },
    { path: 'a.yaml', trigger, state: 's1' },
  )

test('a file that is as it was ends a divergence; who asked for it reads so in the history', () => {
  const kept = { status: 'up-to-date' as const, divergedAt: null, notice: null }
  for (const trigger of ['webhook', 'poll', 'retry'] as const)
    expect(settled({ kind: 'keep' }, { refreshStatus: 'diverged', divergedAt: 's1' }, trigger)).toEqual({
      ...kept,
      history: null,
    })
  expect(settled({ kind: 'keep' }, {}, 'manual')).toEqual({ ...kept, history: { outcome: 'up-to-date', error: null } })
})

test('a failure is reported, but not by each poll', () => {
  const failure: Kept = { kind: 'fail', error: 'the file is not there any more' }
  const reported = {
    status: 'failed' as const,
    history: { outcome: 'failed' as const, error: 'the file is not there any more' },
    notice: { event: 'refresh.failed' as const, text: 'a.yaml was not refreshed: the file is not there any more' },
  }
  expect(settled(failure)).toEqual(reported)
  expect(settled(failure, { refreshStatus: 'failed' })).toBeNull()
  for (const trigger of ['manual', 'webhook', 'retry'] as const)
    expect(settled(failure, { refreshStatus: 'failed' }, trigger)).toEqual(reported)
})

test('a divergence is reported once for each change of both sides', () => {
  const reported = {
    status: 'diverged' as const,
    divergedAt: 's1',
    history: { outcome: 'diverged' as const, error: null },
    notice: { event: 'sync.diverged' as const, text: 'a.yaml was edited here and in the repository' },
  }
  expect(settled({ kind: 'hold' })).toEqual(reported)
  expect(settled({ kind: 'hold' }, { refreshStatus: 'diverged', divergedAt: 's0' })).toEqual(reported)
  expect(settled({ kind: 'hold' }, { refreshStatus: 'up-to-date', divergedAt: 's1' })).toEqual(reported)
  for (const trigger of ['manual', 'poll'] as const)
    expect(settled({ kind: 'hold' }, { refreshStatus: 'diverged', divergedAt: 's1' }, trigger)).toBeNull()
})
