import { expect, test } from 'bun:test'
import { auditActions } from '../../src/api/audit-actions.ts'
import { actionWords, dayWords, inGroups } from '../../web/src/features/audit/words.ts'

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
