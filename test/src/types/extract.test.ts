import { expect, test } from 'bun:test'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { extractTypes, type ExtractOptions } from '../../../src/types/extract.ts'

const read = (value: Json, more: Partial<ExtractOptions> = {}) =>
  extractTypes(parseDocument(JSON.stringify(value), { source: 'types.json' }), {
    kind: 'json-schema',
    namespace: 'shop',
    name: null,
    root: false,
    bases: ['https://svc.test/v1/types/acme/'],
    names: {},
    ...more,
  })

const schemas = (value: Json, more: Partial<ExtractOptions> = {}) => {
  const answer = read(value, more)
  if ('refused' in answer) return answer
  return Object.fromEntries(answer.types.map((it) => [`${it.namespace}/${it.name}`, it.schema]))
}

test('references between definitions become references of the registry', () => {
  const value: Json = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Order book',
    $defs: {
      Money: { type: 'object', properties: { amount: { $ref: '#/$defs/Amount' } } },
      Amount: { type: 'string' },
      Node: { properties: { next: { $ref: '#/$defs/Node' }, part: { $ref: '#/$defs/Money/properties/amount' } } },
    },
    definitions: {
      Line: { $ref: '#/$defs/Money' },
      Whole: { $ref: '#/properties/lines' },
      Gone: { $ref: '#/$defs/Nothing' },
      'a b%': { $ref: '#/definitions/a%20b%25' },
    },
    properties: { lines: { type: 'array' } },
  }
  const $schema = 'http://json-schema.org/draft-07/schema#'
  expect(schemas(value)).toEqual({
    'shop/Money': { $schema, type: 'object', properties: { amount: { $ref: 'svc:shop/Amount' } } },
    'shop/Amount': { $schema, type: 'string' },
    'shop/Node': {
      $schema,
      properties: { next: { $ref: '#' }, part: { $ref: 'svc:shop/Money#/properties/amount' } },
    },
    'shop/Line': { $schema, $ref: 'svc:shop/Money' },
    'shop/Whole': { $schema, $ref: 'svc:shop/Order%20book#/properties/lines' },
    'shop/Gone': { $schema, $ref: '#/$defs/Nothing' },
    'shop/a b%': { $schema, $ref: '#' },
  })
})

test('a reference that finds nothing is an edge without a key', () => {
  const answer = read({
    $defs: {
      A: { $ref: '#/$defs/Nothing' },
      B: { items: { $ref: 'https://svc.test/v1/types/acme/money/Money@2' }, not: { $ref: 'other.json#/X' } },
      C: { example: { $ref: 'svc:x/Y' }, if: { $ref: 'https://example.com/c#/$defs/z' } },
    },
  })
  expect('types' in answer && answer.types.map((it) => it.edges)).toEqual([
    [{ pointer: '/$ref', target: '#/$defs/Nothing', key: null, revision: null }],
    [
      {
        pointer: '/items/$ref',
        target: 'https://svc.test/v1/types/acme/money/Money@2',
        key: 'svc:money/Money',
        revision: 2,
      },
      { pointer: '/not/$ref', target: 'other.json#/X', key: null, revision: null },
    ],
    [{ pointer: '/if/$ref', target: 'https://example.com/c#/$defs/z', key: 'https://example.com/c', revision: null }],
  ])
})

test('a type with an identifier keeps the references within itself', () => {
  const value: Json = {
    $id: 'https://example.com/all',
    $defs: {
      Own: {
        $id: 'own',
        $defs: { part: { type: 'string' } },
        properties: { a: { $ref: '#/$defs/part' }, b: { $ref: 'all#/$defs/Other' }, c: { $ref: 'own' } },
      },
      Other: { $anchor: 'here', properties: { x: { $ref: '#here' }, y: { $ref: 'own#/$defs/part' } } },
    },
  }
  expect(schemas(value)).toEqual({
    'shop/Own': {
      $id: 'own',
      $defs: { part: { type: 'string' } },
      properties: { a: { $ref: '#/$defs/part' }, b: { $ref: 'svc:shop/Other' }, c: { $ref: 'own' } },
    },
    'shop/Other': {
      $anchor: 'here',
      properties: { x: { $ref: '#' }, y: { $ref: 'svc:shop/Own#/$defs/part' } },
    },
  })
})

test('a bundle has types, with what it says of them', () => {
  const value: Json = {
    types: {
      A: { type: 'object', properties: { b: { $ref: '#/types/B' } } },
      B: { schema: { $ref: '#/types/A' }, namespace: 'other/', description: 'The second', tags: ['x', 1] },
    },
  }
  expect(schemas(value, { kind: 'type-def-bundle' })).toEqual({
    'shop/A': { type: 'object', properties: { b: { $ref: 'svc:other/B' } } },
    'other/B': { $ref: 'svc:shop/A' },
  })
  const answer = read(value, { kind: 'type-def-bundle', names: { A: 'First' } })
  expect(
    'types' in answer &&
      answer.types.map(({ key, name, description, tags, pointer }) => [key, name, description, tags, pointer]),
  ).toEqual([
    ['A', 'First', null, [], '/types/A'],
    ['B', 'B', 'The second', ['x'], '/types/B/schema'],
  ])
  expect(schemas(value, { kind: 'type-def-bundle', names: { A: 'First' } })).toHaveProperty('other/B', {
    $ref: 'svc:shop/First',
  })
})

test.each([
  [{}, 'it has no "types", "$defs" or "definitions" object'],
  [{ types: [] }, '"types" must be an object'],
  [{ types: { A: 1 } }, '"types/A" must be a schema: an object or a boolean'],
  [[], 'it must be an object'],
] as [Json, string][])('the malformed bundle %j is refused', (value, reason) => {
  expect(read(value, { kind: 'type-def-bundle' })).toEqual({ refused: 'bundle-malformed', reason })
})

test('schemas of API descriptions are in the words of 2020-12', () => {
  const swagger: Json = {
    swagger: '2.0',
    info: { title: 'Pets', version: '1' },
    paths: {},
    definitions: {
      Pet: { type: 'string', 'x-nullable': true },
      Pets: { type: 'array', items: { $ref: '#/definitions/Pet' } },
    },
  }
  expect(schemas(swagger, { kind: 'openapi' })).toEqual({
    'shop/Pet': { type: ['string', 'null'] },
    'shop/Pets': { type: 'array', items: { $ref: 'svc:shop/Pet' } },
  })
  const openapi: Json = {
    openapi: '3.0.3',
    info: { title: 'Pets', version: '1' },
    paths: {},
    components: { schemas: { Pet: { type: 'string', nullable: true }, Tag: { $ref: '#/components/schemas/Pet' } } },
  }
  expect(schemas(openapi, { kind: 'openapi' })).toEqual({
    'shop/Pet': { type: ['string', 'null'] },
    'shop/Tag': { $ref: 'svc:shop/Pet' },
  })
  expect(
    schemas({ components: { schemas: { A: { $ref: '#/components/schemas/B' }, B: true } } }, { kind: 'openapi' }),
  ).toEqual({
    'shop/A': { $ref: 'svc:shop/B' },
    'shop/B': true,
  })
})

test('a document without definitions is one type, named by its title or identifier', () => {
  expect(schemas({ title: 'Order', type: 'object' })).toEqual({ 'shop/Order': { title: 'Order', type: 'object' } })
  expect(schemas({ $id: 'https://x.test/a/order.schema.json', type: 'object' })).toHaveProperty('shop/order')
  expect(schemas({ type: 'object' }, { name: 'Given' })).toEqual({ 'shop/Given': { type: 'object' } })
  expect(schemas({ title: 'Order', type: 'object', $defs: { A: { $ref: '#' } } }, { root: true })).toEqual({
    'shop/Order': { title: 'Order', type: 'object' },
    'shop/A': { $ref: 'svc:shop/Order' },
  })
  expect(schemas({ info: 1 })).toEqual({})
})

test('a definition whose name cannot be one is left out with the reason', () => {
  const answer = read({ $defs: { 'a/b': {}, c: {} } })
  expect(
    'types' in answer && [
      answer.types.map(({ key }) => key),
      answer.problems.map(({ code, pointer }) => [code, pointer]),
    ],
  ).toEqual([['c'], [['name-invalid', '/$defs/a~1b']]])
})

test('definitions beside the components of an API description are types too', () => {
  const value: Json = {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: {},
    components: { schemas: { Pet: { type: 'object', properties: { tag: { $ref: '#/$defs/Extra' } } } } },
    $defs: { Extra: { $ref: '#/components/schemas/Pet/properties/name' }, Pet: { type: 'string' } },
    definitions: { Old: { type: 'integer' }, 'Cafe\u0301': { type: 'string' } },
  }
  const answer = read(value, { kind: 'openapi' })
  if ('refused' in answer) throw new Error(answer.reason)
  expect(answer.types.map(({ name }) => name).toSorted()).toEqual(['Caf\u00e9', 'Extra', 'Old', 'Pet'])
  expect(answer.types.find(({ name }) => name === 'Pet')?.schema).toMatchObject({
    properties: { tag: { $ref: 'svc:shop/Extra' } },
  })
  expect(answer.problems).toEqual([
    {
      code: 'name-taken',
      message: '"Pet" of $defs was left out: a schema of the components has this name.',
      pointer: '/$defs/Pet',
    },
  ])
})

test('a type may be called as what every object has', () => {
  const value = { $defs: { constructor: { type: 'string' }, toString: { $ref: '#/$defs/constructor' } } }
  expect(schemas(value as unknown as Json)).toEqual({
    'shop/constructor': { type: 'string' },
    'shop/toString': { $ref: 'svc:shop/constructor' },
  })
  expect(schemas(value as unknown as Json, { names: { constructor: 'Maker' } })).toEqual({
    'shop/Maker': { type: 'string' },
    'shop/toString': { $ref: 'svc:shop/Maker' },
  })
})
