import { expect, test } from 'bun:test'
import { auditActions } from '../../src/api/audit-actions.ts'
import { actionWords, dayWords, detailsOf, inGroups } from '../../web/src/features/audit/words.ts'

test('actions are said in words', () => {
  expect(
    [
      'api-key.created',
      'version.published-by-force',
      'primitives.staged',
      'style-guide.rule-set',
      'mcp-registry.set',
      'user.signed-in',
    ].map(actionWords),
  ).toEqual([
    'API key created',
    'Version published by force',
    'Types staged',
    'Style guide rule set',
    'MCP registry set',
    'User signed in',
  ])
  // No two actions are said in the same words.
  const all = Object.keys(auditActions)
  expect(new Set(all.map(actionWords)).size).toBe(all.length)
})

test('days are those of the reader', () => {
  const now = new Date(2026, 10, 23, 0, 5).getTime()
  const at = (...[day, hour]: readonly [number, number]): string => new Date(2026, 10, day, hour).toISOString()
  expect([at(23, 0), at(22, 23), at(22, 0), at(21, 23), at(24, 1)].map((it) => dayWords(it, now, 'en-US'))).toEqual([
    'Today',
    'Yesterday',
    'Yesterday',
    'Saturday, November 21, 2026',
    'Tuesday, November 24, 2026',
  ])
})

test('neighbours of one name are one group', () => {
  expect(inGroups(['a1', 'a2', 'b1', 'a3'], (it) => it.slice(0, 1))).toEqual([
    { name: 'a', rows: ['a1', 'a2'] },
    { name: 'b', rows: ['b1'] },
    { name: 'a', rows: ['a3'] },
  ])
})

test('the details of an event say what its target does not, in words', () => {
  const digest = `sha256:${'0'.repeat(64)}`
  const detail = {
    label: '1.0.0',
    digest,
    scopes: ['read', 'import'],
    sourceGuideId: 'svc-recommended',
    sunset_at: null,
    note: '',
    policy: { gates: 1 },
    count: 2,
  }
  expect(detailsOf(detail, 'pets@1.0.0')).toEqual([
    { name: 'digest', whole: digest, text: 'sha256:000000000000…' },
    { name: 'scopes', whole: 'read, import', text: 'read, import' },
    { name: 'source guide id', whole: 'svc-recommended', text: 'svc-recommended' },
    { name: 'policy', whole: 'gates 1', text: 'gates 1' },
    { name: 'count', whole: '2', text: '2' },
  ])
  expect(detailsOf({ name: 'House', to: 'Home' }, 'House').map((it) => it.name)).toEqual(['to'])
  expect(detailsOf({ label: '1.0.0' }, null).map((it) => it.text)).toEqual(['1.0.0'])
})
