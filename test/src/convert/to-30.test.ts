import { describe, expect, test } from 'bun:test'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { findUnresolved } from '../../../src/document/reference.ts'
import { validateStructure } from '../../../src/document/validate/structure.ts'
import { convertDocument } from '../../../src/convert/convert.ts'
import { api, convert, read } from './converting.ts'

/** A schema of 3.1 as one of 3.0, with what was noted below it. */
const to30 = (schema: Json, others: JsonObject = {}): { readonly schema: Json; readonly notes: readonly string[] } => {
  const document = api('3.1.0', { paths: {}, components: { schemas: { S: schema, ...others } } })
  const { value, notes } = convert(document, 'openapi-3.0')
  expect(validateStructure(read(value)).filter(({ severity }) => severity === 'error')).toEqual([])
  const { S = null } = (value.components as JsonObject).schemas as JsonObject
  return { schema: S, notes: notes.map((it) => it.replace('/components/schemas/S', '')) }
}

/** Schemas that 3.0 says in other words, without a loss. */
const rewritten: readonly (readonly [name: string, schema: Json, made: Json])[] = [
  ['null and one type', { type: ['string', 'null'], maxLength: 3 }, { type: 'string', nullable: true, maxLength: 3 }],
  ['a list of one type', { type: ['array'] }, { type: 'array', items: {} }],
  ['several types', { type: ['string', 'integer'] }, { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
  [
    'several types and null beside anyOf',
    { type: ['string', 'array', 'null'], anyOf: [{ minLength: 1 }, { minItems: 1 }] },
    {
      anyOf: [{ minLength: 1 }, { minItems: 1 }],
      allOf: [
        {
          anyOf: [
            { type: 'string', nullable: true },
            { type: 'array', nullable: true, items: {} },
          ],
        },
      ],
    },
  ],
  ['null alone', { type: 'null' }, { enum: [null] }],
  [
    'a type or null',
    { anyOf: [{ type: 'object' }, { type: 'null' }] },
    { anyOf: [{ nullable: true, type: 'object' }] },
  ],
  [
    'a reference or null',
    { oneOf: [{ $ref: '#/components/schemas/T' }, { type: 'null' }] },
    { oneOf: [{ $ref: '#/components/schemas/T' }, { enum: [null] }] },
  ],
  ['const', { const: 3 }, { enum: [3] }],
  ['const beside enum', { const: 3, enum: [3, 4] }, { enum: [3, 4], allOf: [{ enum: [3] }] }],
  ['no value', { enum: [] }, { not: {} }],
  ['one example', { examples: ['a'] }, { example: 'a' }],
  [
    'exclusive bounds',
    { exclusiveMinimum: 1, exclusiveMaximum: 9 },
    { minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
  ],
  [
    'a tighter bound beside an exclusive one',
    { minimum: 5, exclusiveMinimum: 1, maximum: 9, exclusiveMaximum: 9 },
    { minimum: 5, maximum: 9, exclusiveMaximum: true },
  ],
  [
    'boolean schemas',
    { properties: { a: true, b: false }, additionalProperties: false, items: false },
    { properties: { a: {}, b: { not: {} } }, additionalProperties: false, items: { not: {} } },
  ],
  [
    'if, then and else',
    { if: { required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } },
    {
      allOf: [
        { anyOf: [{ not: { required: ['a'] } }, { required: ['b'] }] },
        { anyOf: [{ required: ['a'] }, { required: ['c'] }] },
      ],
    },
  ],
  ['if alone', { if: { type: 'string' }, minLength: 1 }, { minLength: 1 }],
  [
    'dependentRequired',
    { dependentRequired: { a: ['b'] } },
    { anyOf: [{ not: { type: 'object', required: ['a'] } }, { required: ['b'] }] },
  ],
  [
    'dependentSchemas',
    { dependentSchemas: { a: false } },
    { anyOf: [{ not: { type: 'object', required: ['a'] } }, { not: {} }] },
  ],
  [
    'contains',
    { contains: { type: 'string' } },
    { anyOf: [{ not: { type: 'array', items: {} } }, { not: { items: { not: { type: 'string' } } } }] },
  ],
  ['contains of nothing', { contains: { type: 'string' }, minContains: 0 }, {}],
  [
    'unevaluatedProperties alone',
    { properties: { a: {} }, unevaluatedProperties: false },
    { properties: { a: {} }, additionalProperties: false },
  ],
  [
    'unevaluatedItems alone',
    { type: 'array', unevaluatedItems: { type: 'string' } },
    { type: 'array', items: { type: 'string' } },
  ],
  ['bytes', { type: 'string', contentEncoding: 'base64' }, { type: 'string', format: 'byte' }],
  ['a file', { type: 'string', contentMediaType: 'application/octet-stream' }, { type: 'string', format: 'binary' }],
  [
    'what is beside a reference',
    { $ref: '#/components/schemas/T', minLength: 1, allOf: [{ maxLength: 3 }] },
    { minLength: 1, allOf: [{ $ref: '#/components/schemas/T' }, { maxLength: 3 }] },
  ],
  [
    'identifiers and comments',
    { $id: 'https://example.com/s', $comment: 'x', $anchor: 'a', type: 'string' },
    { type: 'string' },
  ],
  [
    'repeated and empty lists',
    { required: ['a', 'a'], properties: { b: { required: [] } } },
    { required: ['a'], properties: { b: {} } },
  ],
]

/** Schemas that 3.0 cannot express, with the notes. */
const lost: readonly (readonly [name: string, schema: Json, made: Json, ...notes: string[]])[] = [
  ['several examples', { examples: [1, 2] }, { 'x-examples': [1, 2], example: 1 }, 'examples-left /examples'],
  [
    'a tuple',
    { prefixItems: [{ type: 'string' }, true] },
    { 'x-prefixItems': [{ type: 'string' }, {}], items: {} },
    'prefix-items /prefixItems',
  ],
  [
    'a closed tuple',
    { prefixItems: [{ type: 'string' }], items: false },
    { 'x-prefixItems': [{ type: 'string' }], items: { anyOf: [{ type: 'string' }] }, maxItems: 1 },
    'prefix-items /prefixItems',
  ],
  [
    'properties by pattern',
    { patternProperties: { '^a': { type: 'string' } }, additionalProperties: false },
    { 'x-patternProperties': { '^a': { type: 'string' } }, additionalProperties: { type: 'string' } },
    'pattern-properties /patternProperties',
  ],
  [
    'names of properties',
    { propertyNames: { maxLength: 3 } },
    { 'x-propertyNames': { maxLength: 3 } },
    'property-names /propertyNames',
  ],
  [
    'a count of items',
    { contains: {}, minContains: 2 },
    { 'x-contains': {}, 'x-minContains': 2 },
    'contains-count /contains',
  ],
  [
    'what nothing else looks at',
    { allOf: [{ $ref: '#/components/schemas/T' }], unevaluatedProperties: false },
    { allOf: [{ $ref: '#/components/schemas/T' }], 'x-unevaluatedProperties': false },
    'unevaluated /unevaluatedProperties',
  ],
  [
    'encoded JSON',
    { type: 'string', contentMediaType: 'application/json', contentSchema: true },
    { type: 'string', 'x-contentMediaType': 'application/json', 'x-contentSchema': true },
    'content-keywords /contentMediaType',
    'content-keywords /contentSchema',
  ],
  ['an unknown keyword', { minimun: 1 }, { 'x-minimun': 1 }, 'keyword-unknown /minimun'],
  [
    'nullable, which has no effect in 3.1',
    { type: 'string', nullable: true },
    { type: 'string' },
    'nullable-ignored /nullable',
  ],
  ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, {}, 'schema-dialect /$schema'],
  [
    'a text of a branch',
    { oneOf: [{ $ref: '#/components/schemas/T', description: 'x' }] },
    { oneOf: [{ $ref: '#/components/schemas/T' }] },
    'reference-texts /oneOf/0',
  ],
]

describe('a schema of OpenAPI 3.1 as 3.0', () => {
  for (const [name, schema, made] of rewritten)
    test(name, () => expect(to30(schema, { T: { type: 'string' } })).toEqual({ schema: made, notes: [] }))
  for (const [name, schema, made, ...notes] of lost)
    test(`${name}, noted`, () => expect(to30(schema, { T: { type: 'string' } })).toEqual({ schema: made, notes }))

  test('definitions, anchors and identifiers become components that references lead to', () => {
    const schema = {
      $id: 'https://example.com/s',
      $defs: { Name: { type: 'string' }, Unused: {} },
      properties: {
        a: { $ref: '#/$defs/Name' },
        b: { $ref: 'https://example.com/s#/$defs/Name' },
        c: { $ref: '#here' },
        d: { $anchor: 'here', type: 'integer' },
        e: { $dynamicRef: '#here' },
      },
    }
    const { value, notes } = convert(
      api('3.1.0', { paths: {}, components: { schemas: { S: schema, Name: {} } } }),
      'openapi-3.0',
    )
    const there = { $ref: '#/components/schemas/S/properties/d' }
    const name = { $ref: '#/components/schemas/Name_2' }
    expect((value.components as JsonObject).schemas).toEqual({
      S: { properties: { a: name, b: name, c: there, d: { type: 'integer' }, e: there } },
      Name: {},
      Name_2: { type: 'string' },
    })
    expect(notes).toEqual(['dynamic-reference /components/schemas/S/properties/e/$dynamicRef'])
    expect(findUnresolved(read(value))).toEqual([])
  })

  test('numbers that no double holds keep their digits', () => {
    const document = parseDocument(
      '{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{},"components":{"schemas":{"S":{"exclusiveMinimum":12345678901234567890}}}}',
      { source: 'a.json' },
    )
    const { S } = (convertDocument(document, 'openapi-3.0').value.components as JsonObject).schemas as JsonObject
    expect(String((S as JsonObject).minimum)).toBe('12345678901234567890')
  })
})
