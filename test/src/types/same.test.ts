import { expect, test } from 'bun:test'
import type { Json } from '../../../src/kernel/json.ts'
import { fold, foldParts } from '../../../src/types/fold.ts'
import { nameProblem, namespaceProblem, readRef, refOf, trimNamespace, writeRef } from '../../../src/kernel/type-ref.ts'
import { dialectOf, isSameType } from '../../../src/types/same.ts'

test.each([
  [{ type: 'object', required: ['a'] }, { required: ['a'], type: 'object', description: 'Other words' }, true],
  [{ type: 'string', minLength: 0 }, { type: 'string' }, true],
  [{ type: 'string' }, { type: 'string', minLength: 1 }, false],
  [{ $ref: 'svc:a/B' }, { $ref: 'svc:a/B', title: 'x' }, true],
  [{ $ref: 'svc:a/B' }, { $ref: 'svc:a/C' }, false],
  [{ $ref: 'svc:a/B' }, { $ref: 'svc:a/B@2' }, false],
  [
    { $ref: '#/$defs/x', $defs: { x: { type: 'string' } } },
    { $ref: '#/$defs/x', $defs: { x: { type: 'number' } } },
    false,
  ],
  [
    { $ref: '#/$defs/x', $defs: { x: { type: 'array', items: { $ref: '#/$defs/x' } } } },
    { $ref: '#/$defs/x', $defs: { x: { items: { $ref: '#/$defs/x' }, type: 'array', title: 'x' } } },
    true,
  ],
  [
    { $defs: { x: { type: 'string' } } },
    { anyOf: [true, { $ref: '#/$defs/x' }], $defs: { x: { type: 'number' } } },
    true,
  ],
  [
    { items: { $ref: '#/$defs/x' }, $defs: { x: { $ref: '#/$defs/y' }, y: { type: 'string' } } },
    { items: { $ref: '#/$defs/x' }, $defs: { x: { $ref: '#/$defs/y' }, y: { type: 'number' } } },
    false,
  ],
  [{ type: ['string', 'null'] }, { type: ['null', 'string'] }, true],
  [{ enum: ['a', 'b'] }, { enum: ['b', 'a'] }, true],
  [{ $dynamicRef: '#x', title: 'a' }, { $dynamicRef: '#x', title: 'b' }, false],
  [{ $dynamicRef: '#x' }, { $dynamicRef: '#x' }, true],
  [{ $dynamicRef: '#x' }, {}, false],
  [{ $recursiveRef: '#' }, true, false],
  [{ $defs: { a: { $id: 'https://x.test/a' } } }, {}, false],
] as [Json, Json, boolean][])('%j and %j are the same type: %j', (a, b, same) => {
  expect([isSameType(a, b), isSameType(b, a)]).toEqual([same, same])
})

test('a schema has the dialect that it names, and the newest one where it names none that is known', () => {
  const named = (uri: unknown) => dialectOf({ $schema: uri } as Json)
  expect([dialectOf(true), dialectOf({}), named('https://example.com/x'), named(5)]).toEqual(
    Array.from({ length: 4 }, () => '2020-12'),
  )
  expect(named('http://json-schema.org/draft-07/schema#')).toBe(named('http://json-schema.org/draft-07/schema'))
  expect(named('http://json-schema.org/draft-07/schema#')).not.toBe('2020-12')
})

test('references are read and written', () => {
  expect(refOf({ namespace: 'a/b', name: '100%_done x' })).toBe('svc:a/b/100%25_done%20x')
  for (const ref of ['svc:a/b/100%25_done%20x', 'svc:a/B@3', 'svc:a/B@3#/properties/x', 'svc:größe/Maß']) {
    const read = readRef(ref)
    expect(read && writeRef(read)).toBe(ref)
  }
  expect(readRef('https://x.test/t/a/B@2', ['https://x.test/t/'])).toEqual({
    namespace: 'a',
    name: 'B',
    revision: 2,
    fragment: '',
  })
  for (const other of ['svc:B', 'svc:', 'svc:a//B', 'https://y.test/t/a/B', '#/a', 'svc:/B', 'svc:a/'])
    expect([other, readRef(other, ['https://x.test/t/'])]).toEqual([other, null])
})

test('names and namespaces have rules', () => {
  expect(trimNamespace(' a/b// ')).toBe('a/b')
  expect([namespaceProblem('a/b.c/d-e'), nameProblem('100%_done'), nameProblem('a b'), nameProblem('größe')]).toEqual([
    null,
    null,
    null,
    null,
  ])
  for (const bad of ['', 'a//b', '/a', 'a/..', 'a b', 'x'.repeat(201)])
    expect([bad, namespaceProblem(bad) !== null]).toEqual([bad, true])
  for (const bad of ['', 'a/b', 'a#b', ' a', '.', 'a@1', 'x'.repeat(129)])
    expect([bad, nameProblem(bad) !== null]).toEqual([bad, true])
})

test('texts are folded for searches', () => {
  expect(['STRASSE', 'Straße', 'ΟΔΟΣ', 'οδοσ', 'E\u0301', 'É'].map(fold)).toEqual([
    'strasse',
    'strasse',
    'οδοσ',
    'οδοσ',
    'é',
    'é',
  ])
  expect(foldParts(['A\nB', null, '', 'C'])).toBe('a b\nc')
})
