import { expect, test } from 'bun:test'
import Ajv2020 from 'ajv/dist/2020.js'
import { parseDocument } from '../../../src/document/parse.ts'
import { importDocument } from '../../../src/import/importer.ts'

const read = (value: object, source = 'shop-order.schema.json') => {
  const { spec } = importDocument(parseDocument(JSON.stringify(value), { source }), 'json-schema')
  if (spec === null) throw new Error('refused')
  return spec
}

test('the root and every definition become classes', () => {
  const spec = read({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://example.com/order.json',
    title: 'shop order',
    type: 'object',
    properties: {
      items: { type: 'array', items: { $ref: '#/$defs/item' } },
      parent: { $ref: '#' },
      first: { $ref: '#/properties/items/items' },
    },
    $defs: {
      item: { type: 'object', properties: { price: { $ref: '#money' } } },
      'mo ney': { $anchor: 'money', type: 'number' },
    },
  })
  expect(spec.name).toBe('shop order')
  expect(spec.version).toBe('1.0.0')
  expect(spec.problems).toEqual([])
  expect(spec.unresolved).toEqual([])
  expect(spec.classes).toEqual({
    ShopOrder: {
      title: 'shop order',
      type: 'object',
      properties: {
        items: { type: 'array', items: { $ref: '#/components/schemas/item' } },
        parent: { $ref: '#/components/schemas/ShopOrder' },
        first: { $ref: '#/components/schemas/ShopOrder/properties/items/items' },
      },
    },
    item: { type: 'object', properties: { price: { $ref: '#/components/schemas/mo_ney' } } },
    mo_ney: { $anchor: 'money', type: 'number' },
  })
})

test('a document of definitions alone has no class of its own', () => {
  const spec = read({ $schema: 'http://json-schema.org/draft-07/schema#', definitions: { A: { type: 'string' } } })
  expect(Object.keys(spec.classes)).toEqual(['A'])
  expect(spec.name).toBe('shop-order.schema')
})

test('draft 4 and draft 7 in the words of 2020-12', () => {
  const spec = read({
    $schema: 'http://json-schema.org/draft-04/schema#',
    id: 'http://example.com/x',
    type: 'object',
    properties: {
      pair: {
        type: 'array',
        items: [{ type: 'string' }, { type: 'number', minimum: 0, exclusiveMinimum: true }],
        additionalItems: false,
      },
      id: { type: 'string' },
      open: { maximum: 5, exclusiveMaximum: false },
      second: { $ref: '#/properties/pair/items/1', maximum: 3 },
    },
    dependencies: { pair: ['id'], open: { required: ['id'] } },
  })
  expect(spec.classes).toEqual({
    X: {
      type: 'object',
      properties: {
        pair: {
          type: 'array',
          prefixItems: [{ type: 'string' }, { type: 'number', exclusiveMinimum: 0 }],
          items: false,
        },
        id: { type: 'string' },
        open: { maximum: 5 },
        second: { $ref: '#/components/schemas/X/properties/pair/prefixItems/1' },
      },
      dependentRequired: { pair: ['id'] },
      dependentSchemas: { open: { required: ['id'] } },
    },
  })
  expect(spec.warnings.map(({ code }) => code)).toEqual(['ref-siblings'])
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema({ $id: 'https://t.example/', ...spec.openapi })
  const check = ajv.compile({ $ref: 'https://t.example/#/components/schemas/X' })
  expect(check({ pair: ['a', 1], id: 'x' })).toBe(true)
  expect(check({ pair: ['a', 0], id: 'x' })).toBe(false)
  expect(check({ pair: ['a', 1, 2], id: 'x' })).toBe(false)
  expect(check({ pair: ['a', 1] })).toBe(false)
})

test('structure faults have their places', () => {
  const spec = read({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'text', properties: { a: 7 } })
  expect(spec.problems.map(({ path, message }) => `${path.join('/')}: ${message}`)).toEqual([
    'type: Unknown value "text" for "type"; use one of "array", "boolean", "integer", "null", "number", "object", "string".',
    'properties/a: "a" must be an object or a boolean, but is a number.',
  ])
})
