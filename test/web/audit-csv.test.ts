import { expect, test } from 'bun:test'
import { auditActions } from '../../src/api/audit-actions.ts'
import { auditCsv } from '../../web/src/features/audit/csv.ts'
import { families, sentenceOf } from '../../web/src/features/audit/families.ts'

const event = {
  id: 'e1',
  actor_kind: 'user',
  actor_id: 'u1',
  actor_name: '=cmd|"x"',
  means: 'web',
  action: 'version.published',
  target_id: 'v1',
  target_name: 'museum@1.11.0',
  target_url: null,
  detail: { reason: 'line 1\nline 2', label: '1.11.0' },
  created_at: '2026-11-22T12:00:00.000Z',
} as const

test('events are rows of fields, quoted where they must be, and never formulas', () => {
  const [heading, row] = auditCsv([event]).split('\r\n')
  expect(heading).toBe('time,action,target,target_id,actor,actor_kind,actor_id,means,detail')
  expect(row).toBe(
    `2026-11-22T12:00:00.000Z,version.published,museum@1.11.0,v1,"'=cmd|""x""",user,u1,web,"{""reason"":""line 1\\nline 2"",""label"":""1.11.0""}"`,
  )
})

test('what has no name, means or actor is empty', () => {
  const bare = {
    ...event,
    actor_id: null,
    actor_name: null,
    means: null,
    target_id: null,
    target_name: null,
    detail: {},
  }
  expect(auditCsv([bare]).split('\r\n').slice(1)).toEqual([
    '2026-11-22T12:00:00.000Z,version.published,,,,user,,,{}',
    '',
  ])
})

test('events of every kind can be filtered, and each action is a sentence', () => {
  const kinds = new Set(Object.keys(auditActions).map((action) => `${action.split('.')[0]}.*`))
  expect(new Set<string>(families.map(({ value }) => value).filter((it) => it !== ''))).toEqual(
    kinds.difference(new Set(['service.*'])),
  )
  expect([sentenceOf('version.retired'), sentenceOf('of.later')]).toEqual(['A version was retired', 'of.later'])
})
