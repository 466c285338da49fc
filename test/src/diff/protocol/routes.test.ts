/** Several paths that match one URL: which of them answered, and which answers now. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { meet, TemplateIndex } from '../../../../src/diff/operations/templates.ts'
import type { Json } from '../../../../src/kernel/json.ts'
import { changesOf } from '../changes-of.ts'
import type { Pair } from './pairs.ts'
import { testPairs } from './pairs.ts'

type Fields = Readonly<Record<string, unknown>>

const text = { type: 'string' }
const inPath = (name: string, schema: object = text) => ({ name, in: 'path', required: true, schema })
const answer = (type: string) => ({
  '200': { description: 'ok', content: { 'application/json': { schema: { type } } } },
})
const get = (parameters: readonly object[] = [], type = 'string', more: Fields = {}) => ({
  get: { parameters, responses: answer(type), ...more },
})
const token = { name: 'X-Token', in: 'header', required: true, schema: text }
const api = (paths: Fields, rest: Fields = {}): Json =>
  ({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths, ...rest }) as Json
const byId = { '/a/{id}': get([inPath('id')]) }
const byNumber = { '/a/{id}': get([inPath('id', { type: 'integer' })]) }

const pairs: readonly Pair[] = [
  ['a concrete path as the template', api(byId), api({ ...byId, '/a/me': get() }), 'N', 'N'],
  ['with a header that it requires', api(byId), api({ ...byId, '/a/me': get([token]) }), 'B', 'B'],
  ['with an answer of another type', api(byId), api({ ...byId, '/a/me': get([], 'integer') }), 'B', 'B'],
  ['with another method', api(byId), api({ ...byId, '/a/me': { post: get([token]).get } }), 'N', 'B'],
  ['a text that the template refuses', api(byNumber), api({ ...byNumber, '/a/me': get([token], 'integer') }), 'N', 'B'],
  ['a text that it reads as a number', api(byNumber), api({ ...byNumber, '/a/7': get([], 'integer') }), 'B', 'B'],
  [
    'parameters of the template at other positions',
    api({ '/{t}/a/{id}': get([inPath('t'), inPath('id', { type: 'string', maxLength: 3 })]) }),
    api({
      '/{t}/a/{id}': get([inPath('t'), inPath('id', { type: 'string', maxLength: 3 })]),
      '/x/a/{key}': get([inPath('key', { type: 'string', maxLength: 2 })]),
    }),
    'B',
    'N',
  ],
  [
    'the nearest template counts',
    api({ '/{t}/{id}': get([inPath('t'), inPath('id')], 'integer'), '/a/{id}': get([inPath('id')]) }),
    api({ '/{t}/{id}': get([inPath('t'), inPath('id')], 'integer'), '/a/{id}': get([inPath('id')]), '/a/b': get() }),
    'N',
    'N',
  ],
  [
    'and the next one when it goes',
    api({ '/{t}/{id}': get([inPath('t'), inPath('id')], 'integer'), '/a/{id}': get([inPath('id')]) }),
    api({ '/{t}/{id}': get([inPath('t'), inPath('id')], 'integer') }),
    'B',
    'B',
  ],
  [
    'a wider template beside a concrete path',
    api({ '/a/me': get() }),
    api({ '/a/me': get(), '/a/{id}': get([inPath('id'), token], 'integer') }),
    'N',
    'B',
  ],
  [
    'templates that cross, and answer in the same way',
    api({ '/a/{id}': get([inPath('id')]) }),
    api({ '/a/{id}': get([inPath('id')]), '/{t}/me': get([inPath('t')]) }),
    'N',
    'B',
  ],
  [
    'templates that cross, and answer in other ways',
    api({ '/a/{id}': get([inPath('id')]) }),
    api({ '/a/{id}': get([inPath('id')]), '/{t}/me': get([inPath('t')], 'integer') }),
    'B',
    'B',
  ],
  [
    'templates that cross where a path of its own answers',
    api({ '/a/{id}': get([inPath('id')]), '/a/me': get() }),
    api({ '/a/{id}': get([inPath('id')]), '/a/me': get(), '/{t}/me': get([inPath('t')], 'integer') }),
    'N',
    'B',
  ],
  [
    'a parameter within a segment',
    api({ '/a/{id}.json': get([inPath('id', { type: 'integer' })]) }),
    api({ '/a/{id}.json': get([inPath('id', { type: 'integer' })]), '/a/7.json': get([token]) }),
    'B',
    'B',
  ],
  [
    'below the path of a server',
    api(byId, { servers: [{ url: 'https://a.example/v1' }] }),
    api({ '/v1/a/{id}': byId['/a/{id}'], '/v1/a/me': get([token]) }, { servers: [{ url: 'https://a.example' }] }),
    'B',
    'B',
  ],
  ['characters beyond ASCII and their escapes', api({ '/caf%C3%A9': get() }), api({ '/café': get() }), 'N', 'N'],
]
testPairs('paths that match one URL', pairs)

test('the messages name the template', () => {
  const messages = (base: Json, head: Json) =>
    changesOf(base, head).map((it) => [it.severity, it.classification, it.operations.join(), it.message])
  const both = api({ ...byId, '/a/me': get([token], 'integer') })
  expect(messages(api(byId), both)).toEqual([
    [
      'breaking',
      'breaking',
      'GET /a/me',
      'Header parameter `X-Token` was added and is required (GET /a/{id} answered this URL before)',
    ],
    [
      'breaking',
      'breaking',
      'GET /a/me',
      'Type of the 200 response changed from string to integer (GET /a/{id} answered this URL before)',
    ],
    ['non-breaking', 'safe', 'GET /a/me', 'GET /a/me was added'],
  ])
  expect(messages(both, api(byId))).toEqual([
    ['breaking', 'breaking', 'GET /a/me', 'GET /a/me was removed (GET /a/{id} answers its URL, in another way)'],
  ])
  expect(messages(api({ ...byId, '/a/me': get() }), api(byId))).toEqual([
    ['non-breaking', 'safe', 'GET /a/me', 'GET /a/me was removed (GET /a/{id} answers its URL)'],
  ])
  const crossing = api({ ...byId, '/{t}/me': get([inPath('t')], 'integer') })
  expect(messages(api(byId), crossing)).toEqual([
    [
      'breaking',
      'unknown',
      'GET /{t}/me',
      'Type of the 200 response changed from string to integer (GET /a/{id} answered this URL before; several paths match the URL, and which of them answers is up to the service)',
    ],
    ['non-breaking', 'safe', 'GET /{t}/me', 'GET /{t}/me was added'],
  ])
})

const segment = fc.constantFrom('a', 'b', '{}', 'a{}', '{}b', '{}-{}')
const template = fc.array(segment, { minLength: 1, maxLength: 3 }).map((it) => `/${it.join('/')}`)

/** The URLs of a template among those that a few texts make. */
const urlsOf = (of: string): ReadonlySet<string> => {
  const texts = ['a', 'b', 'ab', 'aab', 'a-b', 'b-a']
  const own = of
    .split('/')
    .slice(1)
    .map((it) => new RegExp(`^${it.replaceAll('{}', '.+')}$`))
  return new Set(
    own.reduce<string[]>(
      (all, pattern) => all.flatMap((url) => texts.filter((it) => pattern.test(it)).map((it) => `${url}/${it}`)),
      [''],
    ),
  )
}

test('templates meet where they share a URL, and one is whole in the other where all of its URLs are there', () => {
  fc.assert(
    fc.property(template, template, (one, other) => {
      const [left, right] = [urlsOf(one), urlsOf(other)]
      const found = meet(one, other)
      if ([...left].some((it) => right.has(it))) expect(found).not.toBeNull()
      if (found?.isWhole) expect([...left].filter((it) => !right.has(it))).toEqual([])
    }),
  )
})

test('the index finds what a search of all templates finds', () => {
  fc.assert(
    fc.property(fc.uniqueArray(template, { maxLength: 12 }), template, (all, one) => {
      const index = new TemplateIndex(all.map((it) => [it, [it]]))
      const found = index.near(one, () => true)!.map(([it]) => it)
      expect(found.toSorted()).toEqual(all.filter((it) => meet(one, it) !== null).toSorted())
      expect(index.templatesAt(one)).toEqual(all.filter((it) => it === one))
    }),
  )
})
