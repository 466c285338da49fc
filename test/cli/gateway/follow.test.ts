import { expect, test } from 'bun:test'
import type { SecurityEvent } from '../../../src/api/gateway-record-shapes.ts'
import { additionOf, coverageText } from '../../../cli/gateway/coverage.ts'
import { followEvents } from '../../../cli/gateway/follow.ts'
import { sinceOf } from '../../../cli/gateway/command-parts.ts'

const event = (id: string, second: number, count = 1): SecurityEvent => ({
  id,
  at: `2026-05-05T12:00:0${second}.000Z`,
  environmentId: 'e',
  enforcerId: null,
  releaseId: null,
  source: 'edge-1',
  region: null,
  ruleRef: 'crs:942100',
  groupId: 'sqli',
  action: 'block',
  route: null,
  pathShape: '/toys/{id}',
  method: 'GET',
  status: 403,
  count,
  firstAt: `2026-05-05T12:00:0${second}.000Z`,
  lastAt: `2026-05-05T12:00:0${second}.000Z`,
  client: { network: '203.0.113.0/24', digest: null, country: null },
  score: null,
  matches: [],
  exceptionIds: [],
  policyVersion: null,
  evidence: [],
})

test('events are shown once, in the order of time, and again with more requests', async () => {
  const answers = [[event('b', 2), event('a', 1)], [event('b', 2)], [event('c', 3), event('b', 3, 4)], []]
  const asked: string[] = []
  const printed: string[] = []
  const stop = new AbortController()
  await followEvents(
    {
      list: async (since) => {
        asked.push(since.slice(17, 19))
        return answers[asked.length - 1] ?? []
      },
      print: async (text) => void printed.push(text),
      pause: async () => (asked.length === answers.length ? stop.abort() : undefined),
      signal: stop.signal,
    },
    '2026-05-05T12:00:00.000Z',
  )
  expect(asked).toEqual(['00', '02', '02', '03'])
  const line = (second: number, times = '') =>
    expect.stringMatching(
      new RegExp(`^.*:00.*  block       crs:942100  GET /toys/\\{id\\} from 203\\.0\\.113\\.0/24${times}  edge-1$`),
    ) as string & typeof second
  expect(printed.map((text) => text.trimEnd().split('\n'))).toEqual([
    [line(1), line(2)],
    [line(3, ' \\(4 requests\\)'), line(3)],
  ])
})

test('what options mean', () => {
  expect([sinceOf('2h', Date.parse('2026-05-05T12:00:00Z')), sinceOf('2026-05-05T12:00:00+02:00', 0)]).toEqual([
    '2026-05-05T10:00:00.000Z',
    '2026-05-05T10:00:00.000Z',
  ])
  expect(() => sinceOf('soon', 0)).toThrow('--since is a duration')
  expect(additionOf('get /toys/{id}')).toEqual({ method: 'get', path: '/toys/{id}' })
  expect(() => additionOf('/toys')).toThrow('--add is a method and a path')
})

test('coverage as a text', () => {
  const calls = { count: 2, firstAt: '2026-05-05T12:00:00.000Z', lastAt: '2026-05-06T12:00:00.000Z' }
  const none = { count: 0, firstAt: null, lastAt: null }
  const operation = { project: 'pets', operationId: null, deprecated: false }
  const found = {
    since: calls.firstAt,
    days: 30,
    documents: [{ projectId: 'p', project: 'pets', versionId: 'v', version: '1.0.0' }],
    prefixes: [],
    operations: [
      { ...operation, method: 'GET', path: '/pets', ...calls },
      { ...operation, method: 'DELETE', path: '/pets', ...none },
    ],
    neverSeen: 1,
    undeclared: [{ method: 'GET', path: '/toys/{id}', kind: 'path' as const, ...calls }],
    undeclaredTotal: 2,
    otherCalls: 1,
  }
  const words = (text: string) =>
    text
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME')
      .replaceAll(/ +/g, ' ')
      .replaceAll(/ $/gm, '')
  expect(words(coverageText(found, false))).toBe(
    'pets 1.0.0: 1 of 2 operations called in 30 days.\nMETHOD PATH CALLS FIRST LAST\nDELETE /pets 0\n\n' +
      'Called and not declared:\nMETHOD PATH CALLS FIRST LAST WHY\nGET /toys/{id} 2 TIME TIME not in a document\nand 1 more\n' +
      '1 call of further paths, counted together.\n',
  )
  expect(coverageText({ ...found, documents: [] }, false)).toContain('No API description is bound to this gateway')
})
