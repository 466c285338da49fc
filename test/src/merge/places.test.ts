/** Places by the names of items, and what a document is with the value of another one at a place. */
import { expect, test } from 'bun:test'
import type { Json } from '../../../src/kernel/json.ts'
import { isSame, keysOf, nothing, positionsOf, subjectOf, taken, valueAt } from '../../../src/merge/places.ts'

const pets = [{ name: 'x', in: 'query', v: 1 }, { name: 'y' }]
const document: Json = { pets, plain: [[1], [2]], texts: ['a', 'b'], deep: { list: [{ url: '/u', v: 1 }] } }

test('a value is found by the name of its item or its position, and nothing where there is none', () => {
  expect(
    (
      [
        ['pets', 'name x query', 'v'],
        ['pets', 'name y '],
        ['pets', 1, 'name'],
        ['texts', '"b"'],
        ['deep', 'list', 'id /u', 'v'],
        ['plain', 1, 0],
        [],
      ] as const
    ).map((path) => valueAt(document, path)),
  ).toEqual([1, { name: 'y' }, 'y', 'b', 1, 2, document])
  for (const path of [
    ['none'],
    ['none', 'more'],
    ['none', 0, 'more'],
    ['pets', 2],
    ['pets', 3],
    ['pets', 'name z '],
    ['texts', 0, 'length'],
    ['toString'],
  ])
    expect([path, valueAt(document, path)]).toEqual([path, nothing])
})

test('positions become names and names positions; what has none stays', () => {
  const both = [
    [
      ['pets', 0, 'v'],
      ['pets', 'name x query', 'v'],
    ],
    [
      ['deep', 'list', 0],
      ['deep', 'list', 'id /u'],
    ],
    [
      ['texts', 1],
      ['texts', '"b"'],
    ],
    [
      ['plain', 1, 0],
      ['plain', 1, 1],
    ],
  ] as const
  for (const [positions, keys] of both.slice(0, 3)) {
    expect(keysOf(document, positions)).toEqual([...keys])
    expect(positionsOf(document, keys)).toEqual([...positions])
  }
  expect(keysOf(document, ['plain', 1, 0])).toEqual(['plain', 1, '2'])
  for (const path of [
    ['pets', 9],
    ['deep', 0],
    ['none', 0, 'a'],
    ['none', 'a', 0],
  ]) {
    expect(keysOf(document, path)).toEqual(path)
    expect(positionsOf(document, path)).toEqual(path)
  }
})

test('a document takes the value of another one at a place, and nothing else of it', () => {
  expect([
    taken({ a: 1, b: 2 }, { a: 9, b: 8 }, ['a']),
    taken({ a: 1, b: 2 }, { b: 8 }, ['a']),
    taken({ b: 2 }, { a: 9, b: 8 }, ['a']),
    taken({ a: 1 }, { a: 9 }, []),
    taken(nothing, { a: 9 }, ['a']),
    taken({ a: { c: 1 } }, { a: { c: 2, d: 3 } }, ['a', 'c']),
    taken({}, { a: { c: 2, d: 3 } }, ['a', 'c']),
  ]).toEqual([{ a: 9, b: 2 }, { b: 2 }, { b: 2, a: 9 }, { a: 9 }, { a: 9 }, { a: { c: 2 } }, { a: { c: 2, d: 3 } }])
  const list = (...items: Json[]): Json => ({ pets: items })
  const [x, y] = [
    { name: 'x', v: 1 },
    { name: 'y', v: 1 },
  ]
  const x2 = { name: 'x', v: 2 }
  expect([
    taken(list(x, y), list(x2), ['pets', 'name x ', 'v']),
    taken(list(x, y), list(y, x2), ['pets', 'name x ']),
    taken(list(x, y), list(y), ['pets', 'name x ']),
    taken(list(y), list(x2), ['pets', 'name x ']),
    taken(list(x, y), list(x2, y), ['pets', 0]),
  ]).toEqual([list(x2, y), list(x2, y), list(y), list(y, x2), list(x2, y)])
  // Where the document has a text, there are no places in it.
  expect([taken('text', { a: 1 }, ['a']), taken('text', nothing, ['a']), taken('text', 'other', ['a'])]).toEqual([
    { a: 1 },
    'text',
    'other',
  ])
})

test('what is not there is the same only as what is not there', () => {
  expect([isSame(nothing, nothing), isSame(nothing, null), isSame({ a: [1] }, { a: [1] }), isSame(1, '1')]).toEqual([
    true,
    false,
    true,
    false,
  ])
})

test('a place belongs to what people call it', () => {
  expect(
    (
      [
        [],
        ['paths', '/a'],
        ['paths', '/a', 'get', 'summary'],
        ['paths', '/a', 'summary'],
        ['webhooks', 'hook', 'post'],
        ['paths', '/a', 'get', 'parameters', 'name q query'],
        ['paths', '/a', 'get', 'parameters', 0],
        ['components', 'schemas', 'Pet', 'type'],
        ['components', 'responses', 'Gone'],
        ['components', 'schemas'],
        ['definitions', 'Pet'],
        ['$defs', 'Pet'],
        ['info', 'title'],
        ['paths'],
      ] as const
    ).map((path) => subjectOf(path)),
  ).toEqual([
    'document',
    'path /a',
    'GET /a',
    'path /a',
    'POST hook',
    'parameter q of GET /a',
    'GET /a',
    'schema Pet',
    'responses Gone',
    'components',
    'schema Pet',
    'schema Pet',
    'info',
    'paths',
  ])
})
