import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { PlainCheck } from '../../../src/schema/validation/plain.ts'
import { isValid, type Dialect } from '../../../src/schema/validate.ts'

/** Whether the interpreter of all keywords finds that a value fits: a keyword besides makes sure that it is asked. */
const interpreted = (schema: Json, value: Json, root: Json, dialect: Dialect): boolean =>
  isValid({ allOf: [schema], not: false }, value, { root, dialect })

const plain = (schema: Json, value: Json, root: Json, dialect: Dialect): boolean =>
  new PlainCheck(root, {}, dialect, dialect === '2020-12').holds(schema, value)

const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<Json>(null, true, 0, 1, -0, 1.5, 2147483648, '', 'a', 'ab', '😀', '2020-01-01'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  ),
})).value

const { schema } = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(
      true,
      false,
      {},
      { type: 'string' },
      { $ref: '#/definitions/x' },
      { $ref: '#/definitions/no' },
    ),
    fc
      .record(
        {
          type: fc.constantFrom<Json>('string', 'integer', 'number', 'object', 'array', 'null', ['string', 'null']),
          nullable: fc.boolean(),
          enum: fc.array(value, { maxLength: 3 }),
          format: fc.constantFrom('int32', 'int64', 'date', 'other'),
          minimum: fc.integer({ min: -1, max: 2 }),
          maximum: fc.integer({ min: 0, max: 3 }),
          exclusiveMinimum: fc.constantFrom<Json>(true, 0),
          minLength: fc.nat({ max: 2 }),
          maxLength: fc.nat({ max: 2 }),
          pattern: fc.constantFrom('^a', 'b$', '('),
          minItems: fc.nat({ max: 2 }),
          maxItems: fc.nat({ max: 2 }),
          items: tie('schema'),
          properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }),
          required: fc.subarray(['a', 'b']),
          additionalProperties: tie('schema'),
          $ref: fc.constantFrom('#/definitions/x', '#/definitions/y', '#/definitions/no', '#'),
          allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
          discriminator: fc.constant({ propertyName: 'a' }),
          not: tie('schema'),
          'x-note': fc.constant(1),
        },
        { requiredKeys: [] },
      )
      .map((it) => it as JsonObject),
  ),
}))

test('what is seen to fit, fits', () => {
  const dialect = fc.constantFrom<Dialect>('draft-04', 'draft-07', '2020-12', 'openapi-2.0', 'openapi-3.0')
  let seen = 0
  fc.assert(
    fc.property(schema, schema, schema, value, dialect, (asked, x, y, given, name) => {
      const root = { definitions: { x, y } }
      if (!plain(asked, given, root, name)) return
      seen++
      expect(interpreted(asked, given, root, name)).toBe(true)
    }),
    { numRuns: 3000 },
  )
  // Otherwise the test would say nothing.
  expect(seen).toBeGreaterThan(300)
})

test('plain schemas need no interpreter', () => {
  const root = {
    definitions: {
      x: { type: 'object', required: ['a'], properties: { a: { $ref: '#/definitions/y' } } },
      y: { oneOf: [{ type: 'null' }, { type: 'string', minLength: 1 }] },
    },
  }
  const fits = [
    [{ $ref: '#/definitions/x' }, { a: 'b' }],
    [{ type: 'array', items: { $ref: '#/definitions/x' } }, [{ a: null }]],
    [{ anyOf: [{ type: 'integer' }, { enum: ['a'] }] }, 'a'],
  ] as const
  expect(fits.map(([asked, given]) => plain(asked as Json, given as Json, root, 'openapi-3.0'))).toEqual([
    true,
    true,
    true,
  ])
})

test('schemas that refer to themselves, and those of many steps, are left to the interpreter', () => {
  const root: Json = { definitions: { x: { $ref: '#/definitions/y' }, y: { $ref: '#/definitions/x' } } }
  expect(plain({ $ref: '#/definitions/x' }, 1, root, 'openapi-3.0')).toBe(false)
  const many = Array.from({ length: 6000 }, () => 1)
  expect(plain({ items: { type: 'integer' } }, many, {}, '2020-12')).toBe(false)
  expect(isValid({ items: { type: 'integer' } }, many)).toBe(true)
})

test('every schema that is looked at is a step', () => {
  let steps = 0
  const spend = () => void steps++
  expect(isValid({ properties: { a: { type: 'string' }, b: {} } }, { a: '', b: 1 }, { spend })).toBe(true)
  expect(steps).toBe(3)
})
