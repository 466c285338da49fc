import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  descriptionAt,
  follow,
  limitWords,
  linkAddress,
  listOperations,
  refName,
  typeWords,
} from '../../web/src/parts/openapi-document.ts'

const root = {
  components: {
    schemas: {
      'a/b~c': { type: 'string' },
      Pet: { $ref: '#/components/schemas/a~1b~0c' },
      Loop: { $ref: '#/components/schemas/Loop' },
      Out: { $ref: 'other.yaml#/x' },
    },
  },
}
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('references are followed through several steps, never round in a circle, never outside', () => {
  expect(follow(root, ref('Pet'))).toEqual({ node: { type: 'string' }, ref: '#/components/schemas/Pet' })
  expect(follow(root, ref('Loop')).node).toBe(null)
  expect(follow(root, ref('Out')).node).toBe(null)
  expect(follow(root, ref('Missing')).node).toBe(null)
  expect(follow(root, ref('__proto__')).node).toBe(null)
  expect(follow(root, 7)).toEqual({ node: null, ref: null })
  expect(refName('#/components/schemas/a~1b')).toBe('a/b')
  expect(refName('#/components/schemas/100%')).toBe('100%')
})

test('types in words', () => {
  expect(
    [
      { type: 'string', format: 'date' },
      { type: ['integer', 'null'] },
      { type: 'array', items: ref('Pet') },
      { oneOf: [ref('A'), { type: 'string' }] },
      { properties: {} },
      { const: 3 },
      {},
      true,
      false,
    ].map(typeWords),
  ).toEqual([
    'string (date)',
    'integer or null',
    'array of Pet',
    'one of A, string',
    'object',
    '3',
    'anything',
    'anything',
    'nothing',
  ])
  expect(limitWords({ minimum: 1, maxLength: 3, pattern: '^a$', default: null })).toEqual([
    '≥ 1',
    'at most 3 characters',
    'matches ^a$',
    'default null',
  ])
})

test('descriptions become plain words', () => {
  const plain = (description: string): string | null => descriptionAt({ description })
  expect(plain('<p>Reads &lt;one&gt;.</p><p>See <a href="x">there</a>.</p>')).toBe('Reads <one>.\nSee there.')
  expect(plain('Look [here](https://x) if a < b')).toBe('Look here if a < b')
  expect(plain('<br/>')).toBe(null)
  expect(descriptionAt({})).toBe(null)
})

test('links lead into the web or this service, nowhere else', () => {
  expect(
    [
      'https://a.b',
      'http://a',
      '/v1/x',
      '//evil',
      '/\\evil',
      'javascript:alert(1)',
      ' javascript:x',
      'data:x',
      null,
    ].map(linkAddress),
  ).toEqual(['https://a.b', 'http://a', '/v1/x', null, null, null, null, null, null])
})

test('operations in the order of the document', () => {
  const document = {
    paths: {
      '/b': { post: { summary: 'B' }, parameters: [], 'x-get': {} },
      '/a': { get: { operationId: 'a' }, delete: null },
      '/c': null,
    },
  }
  expect(listOperations(document).map((it) => [it.ref, it.summary])).toEqual([
    ['POST /b', 'B'],
    ['GET /a', 'a'],
  ])
})

test('no document makes the viewer throw', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (root, value) => {
      follow(root, value)
      typeWords(value)
      listOperations(root)
      descriptionAt(value)
    }),
  )
})
