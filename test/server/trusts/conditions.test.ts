import { expect, test } from 'bun:test'
import { misfits, tooWide } from '../../../server/trusts/conditions.ts'
import { fitsPattern } from '../../../src/kernel/wildcards.ts'

test('a pattern fits a whole text: * is any text, ? one character, everything else itself', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['repo:acme/specs:ref:refs/heads/main', 'repo:acme/specs:*', true],
    ['repo:acme/specs:ref:refs/heads/release/1', 'repo:acme/specs:ref:refs/heads/release/*', true],
    ['repo:acme/specs-evil:ref:refs/heads/main', 'repo:acme/specs:*', false],
    ['repo:evil/acme/specs:x', 'repo:acme/specs:*', false],
    ['repo:ACME/specs:x', 'repo:acme/specs:*', false],
    ['', '*', true],
    ['', '', true],
    ['a', '', false],
    ['', '?', false],
    ['ab', 'a?', true],
    ['a', 'a?', false],
    ['*a', '*a', true],
    ['xxa*b', '*a?b', true],
    ['abcabd', '*ab?', true],
    ['main\nx', 'main', false],
    ['a.c', 'a.c', true],
    ['abc', 'a.c', false],
    ['a{b,c}', 'a{b,c}', true],
  ]
  expect(cases.filter(([text, pattern, fits]) => fitsPattern(text, pattern) !== fits)).toEqual([])
  // A pattern of stars against a text that never fits takes no time.
  expect(fitsPattern('a'.repeat(16_000), `${'*a'.repeat(200)}*b`)).toBe(false)
})

test('every claim that does not fit is named', () => {
  const claims = { sub: 'repo:acme/specs:x', ref: 'refs/heads/x', run: 7, fork: false, groups: ['a'] }
  expect(misfits(claims, { sub: 'repo:acme/specs:*', run: '7', fork: 'false' })).toEqual([])
  expect(misfits(claims, { ref: 'refs/heads/main', environment: 'live', groups: 'a', toString: '*' })).toEqual([
    'it has no claim "environment"',
    'its claim "groups" is not a single value',
    'its claim "ref" is "refs/heads/x", not "refs/heads/main"',
    'it has no claim "toString"',
  ])
})

test('conditions that would trust strangers are refused', () => {
  const github = 'https://token.actions.githubusercontent.com'
  const wide = (issuer: string, conditions: Record<string, string>) => tooWide(issuer, conditions) !== null
  expect(tooWide(github, { ref: 'refs/heads/main' })).toBe(
    'https://token.actions.githubusercontent.com signs tokens for everybody, and no condition says whose pipelines are meant; add one such as sub=repo:OWNER/REPOSITORY:*',
  )
  const strangers: Record<string, string>[] = [
    { sub: '*' },
    { sub: 'repo:*' },
    { sub: 'repo:acme*/specs:*' },
    { repository: 'acme*' },
    { repository: '*/specs' },
    { repository_owner: 'acme*' },
    { repository_owner: '*' },
    { constructor: 'x' },
    { job_workflow_ref: 'acme/specs/.github/workflows/api.yml@refs/heads/main' },
  ]
  expect(strangers.filter((it) => !wide(github, it))).toEqual([])
  const own: Record<string, string>[] = [
    { sub: 'repo:acme/*' },
    { sub: 'repo:acme/specs:ref:refs/heads/main' },
    { repository: 'acme/*' },
    { repository_owner: 'acme' },
    { repository_id: '42' },
  ]
  expect(own.filter((it) => wide(github, it))).toEqual([])
  expect([
    wide('https://gitlab.com', { namespace_path: 'acme*' }),
    wide('https://gitlab.com', { project_path: 'acme/specs' }),
    wide('https://agent.buildkite.com', { sub: 'organization:acme:*' }),
    wide('https://agent.buildkite.com', { organization_slug: 'ac?e' }),
    wide('https://id.example', { sub: '*' }),
    wide('https://id.example', { sub: '*?*', ref: '**' }),
    wide('https://id.example', { sub: 'a*' }),
  ]).toEqual([true, false, false, true, true, true, false])
})
