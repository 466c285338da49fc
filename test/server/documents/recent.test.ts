import { expect, test } from 'bun:test'
import { RecentDocuments } from '../../../server/documents/recent.ts'
import type { Note } from '../../../server/http/observe.ts'

const url = 'http://svc.test/v1/schema/acme/pets/1.0.0'
const ask = (headers: Record<string, string> = {}, method = 'GET') => new Request(url, { method, headers })
const sent = (text: string) => ({
  route: '/v1/schema/{t}/{p}/{v}',
  body: new Blob([text]),
  etag: '"1"',
  headers: { etag: '"1"', 'content-type': 'application/json' },
})

test('answers the same anonymous request from memory, and records it', async () => {
  const recent = new RecentDocuments()
  const notes: Parameters<Note>[0][] = []
  const note: Note = (facts) => void notes.push(facts)
  recent.remember(ask(), sent('{}'), recent.epoch)
  const answer = recent.recall(ask({ 'x-request-id': 'mine' }), note)
  expect([answer?.status, await answer?.text(), answer?.headers.get('x-request-id')]).toEqual([200, '{}', 'mine'])
  const known = recent.recall(ask({ 'if-none-match': 'W/"1"' }), note)
  expect([known?.status, await known?.text(), known?.headers.get('etag')]).toEqual([304, '', '"1"'])
  expect(recent.recall(ask({ authorization: 'Bearer x' }), note)).toBe(null)
  expect(recent.recall(ask({ 'x-api-key': 'x' }), note)).toBe(null)
  expect(recent.recall(ask({ accept: 'application/yaml' }), note)).toBe(null)
  expect(recent.recall(ask({}, 'HEAD'), note)).toBe(null)
  expect(recent.recall(new Request(`${url}?api_key=x`), note)).toBe(null)
  expect(notes.map(({ status, path, route }) => [status, path, route])).toEqual([
    [200, '/v1/schema/acme/pets/1.0.0', '/v1/schema/{t}/{p}/{v}'],
    [304, '/v1/schema/acme/pets/1.0.0', '/v1/schema/{t}/{p}/{v}'],
  ])
  expect(notes[0]?.requestId).toBe('mine')
})

test('what was read before a change is not remembered after it', () => {
  const recent = new RecentDocuments()
  const { epoch } = recent
  recent.clear()
  recent.remember(ask(), sent('secret by now'), epoch)
  expect(recent.recall(ask(), null)).toBe(null)
  recent.remember(ask(), sent('{}'), recent.epoch)
  recent.forget(url)
  expect(recent.recall(ask(), null)).toBe(null)
})

test('what asks with credentials or a query is never remembered, and neither is what would fill the memory', () => {
  const recent = new RecentDocuments()
  recent.remember(ask({ 'x-api-key': 'x' }), sent('{}'), recent.epoch)
  recent.remember(new Request(`${url}?x=1`), sent('{}'), recent.epoch)
  recent.remember(ask(), sent(' '.repeat(13 * 1024 * 1024)), recent.epoch)
  expect([recent.recall(ask(), null), recent.recall(new Request(`${url}?x=1`), null)]).toEqual([null, null])
})

test('says how full it is: bodies and what they are found by', () => {
  const recent = new RecentDocuments()
  const variant = 2 * (url.length + '\n'.length)
  recent.remember(ask(), sent('{}'), recent.epoch)
  recent.remember(ask(), sent('{"a": 1}'), recent.epoch)
  expect(recent.fill).toEqual({ entries: 1, size: 8 + variant, limit: 48 * 1024 * 1024 })
  recent.remember(ask({ accept: 'text/html' }), sent('{}'), recent.epoch)
  expect(recent.fill.size).toBe(8 + variant + 2 + variant + 2 * 'text/html'.length)
  recent.forget(url)
  expect([recent.fill.entries, recent.fill.size]).toEqual([0, 0])
})
