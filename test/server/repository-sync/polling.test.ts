import { expect, test } from 'bun:test'
import {
  type BranchHeads,
  hasMoved,
  isNewFailure,
  pauseAfterFailure,
  pauseBeforePoll,
} from '../../../server/repository-sync/polling.ts'

const minute = 60_000

test('a repository is polled about every 5 minutes, and about every 15 where a webhook reports pushes', () => {
  expect([0, 0.5, 1].map((random) => Math.round(pauseBeforePoll(false, random)) / minute)).toEqual([4, 5, 6])
  expect([0, 0.5, 1].map((random) => Math.round(pauseBeforePoll(true, random)) / minute)).toEqual([12, 15, 18])
})

test('a repository that cannot be read is asked less and less often, and people are told once', () => {
  const failures = [0, 1, 2, 3, 4, 100]
  expect(failures.map((n) => pauseAfterFailure(n) / minute)).toEqual([1, 5, 30, 360, 360, 360])
  expect(failures.filter(isNewFailure)).toEqual([0])
})

test('a branch that is new, gone or at another commit has moved, and so has the default branch', () => {
  const heads = (defaultBranch: string | null, commits: Record<string, string | undefined>): BranchHeads => ({
    defaultBranch,
    commits: new Map(Object.entries(commits)),
  })
  const before = heads('main', { main: 'a', next: 'b' })
  const cases: [BranchHeads, boolean][] = [
    [heads('main', { next: 'b', main: 'a' }), false],
    [heads('main', { main: 'a', next: 'c' }), true],
    [heads('main', { main: 'a' }), true],
    [heads('main', { main: 'a', next: 'b', third: 'c' }), true],
    [heads('main', { main: 'a', third: 'b' }), true],
    [heads('main', { main: 'a', next: undefined }), true],
    [heads('next', { main: 'a', next: 'b' }), true],
    [heads(null, { main: 'a', next: 'b' }), true],
  ]
  for (const [now, moved] of cases) expect([now, hasMoved(before, now)]).toEqual([now, moved])
})
