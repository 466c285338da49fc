import { describe, expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020'
import Draft07 from 'ajv'
import fc from 'fast-check'
import { isObject, type Json } from '../../../src/kernel/json.ts'
import { isValid, validate } from '../../../src/schema/validate.ts'

const said = (schema: Json, value: Json, options = {}) =>
  validate(schema, value, options).map((it) => `${it.keyword} /${it.path.join('/')}: ${it.message}`)

describe('validate', () => {
  test('stops at the first violated keyword of a schema, or goes on', () => {
    const schema = { type: 'object', required: ['a', 'b'], properties: { c: { type: 'string', minLength: 2 } } }
    expect(said(schema, { c: 'x' })).toEqual(["required /: must have required property 'a'"])
    expect(said(schema, { c: 'x' }, { all: true })).toEqual([
      "required /: must have required property 'a'",
      "required /: must have required property 'b'",
      'minLength /c: must NOT have fewer than 2 characters',
    ])
  })

  test('says why each branch of anyOf failed, then that none held', () => {
    expect(said({ anyOf: [{ type: 'string' }, { minimum: 3 }] }, 1)).toEqual([
      'type /: must be string',
      'minimum /: must be >= 3',
      'anyOf /: must match a schema in anyOf',
    ])
  })

  test('resolves references in the root document', () => {
    const root = {
      components: { schemas: { 'a/b': { type: 'integer' }, List: { items: { $ref: '#/components/schemas/a~1b' } } } },
    }
    expect(said({ $ref: '#/components/schemas/List' }, [1, 'x'], { root, dialect: 'openapi-3.0' })).toEqual([
      'type /1: must be integer',
    ])
  })

  test('cycles of the schema end', () => {
    const schema = { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a', type: 'string' } }, $ref: '#/$defs/a' }
    expect(said(schema, 1)).toEqual(['type /: must be string'])
    expect(said(schema, 'x')).toEqual([])
  })

  test('an instance that refers to itself ends', () => {
    const value: { next: Json } = { next: null }
    value.next = value
    const schema = { $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } }, $ref: '#/$defs/node' }
    expect(isValid(schema, value)).toBe(true)
  })

  test('nullable, boolean exclusive bounds and ignored siblings of $ref in OpenAPI 3.0', () => {
    const options = { dialect: 'openapi-3.0' as const }
    expect(said({ type: 'string', nullable: true }, null, options)).toEqual([])
    expect(said({ maximum: 3, exclusiveMaximum: true }, 3, options)).toEqual(['maximum /: must be < 3'])
    const root = { a: {} }
    expect(said({ $ref: '#/a', type: 'string' }, 1, { ...options, root })).toEqual([])
  })

  test('readOnly properties are not required in requests', () => {
    const schema = { required: ['id', 'name'], properties: { id: { readOnly: true }, name: {} } }
    expect(said(schema, { name: 'x' }, { mode: 'request' })).toEqual([])
    expect(said(schema, { name: 'x' }, { mode: 'response' })).toEqual(["required /: must have required property 'id'"])
  })

  test('unevaluated properties see through allOf and $ref', () => {
    const schema = {
      $defs: { base: { properties: { a: {} } } },
      allOf: [{ $ref: '#/$defs/base' }, { anyOf: [{ properties: { b: { type: 'string' } } }, { required: ['zz'] }] }],
      unevaluatedProperties: false,
    }
    expect(said(schema, { a: 1, b: 'x' })).toEqual([])
    expect(said(schema, { a: 1, c: 1 })).toEqual(['unevaluatedProperties /: must NOT have unevaluated properties'])
  })

  test('$dynamicRef finds the outermost anchor', () => {
    const schema = {
      $id: 'https://example.com/strict',
      $dynamicAnchor: 'node',
      $ref: 'https://example.com/tree',
      unevaluatedProperties: false,
      $defs: {
        tree: {
          $id: 'https://example.com/tree',
          $dynamicAnchor: 'node',
          properties: { data: true, children: { items: { $dynamicRef: '#node' } } },
        },
      },
    }
    expect(isValid(schema, { children: [{ data: 1 }] })).toBe(true)
    expect(isValid(schema, { children: [{ daat: 1 }] })).toBe(false)
  })

  test('formats', () => {
    const fits = (format: string, value: Json) => isValid({ format }, value)
    expect(['2024-02-29', '2023-02-29', '2024-13-01'].map((it) => fits('date', it))).toEqual([true, false, false])
    expect(fits('date-time', '1990-12-31T23:59:60Z')).toBe(true)
    expect(fits('date-time', '1990-12-31T22:59:60Z')).toBe(false)
    expect(['::1', '1::2::3', '::ffff:1.2.3.4', 'fe80'].map((it) => fits('ipv6', it))).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect(fits('uuid', 'nope')).toBe(false)
    expect(fits('int32', 2147483648)).toBe(false)
    expect(fits('made-up', 'anything')).toBe(true)
  })
})

const leaf = fc.oneof(
  fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'null', 'boolean', 'object', 'array') }),
  fc.record({ minimum: fc.integer({ min: -3, max: 3 }) }),
  fc.record({ maxLength: fc.nat(3) }),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom(1, 'a', null, true), { minLength: 1 }) }),
  fc.record({ const: fc.constantFrom(1, 'a', null) }),
  fc.boolean(),
)
const { schema } = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    leaf,
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('schema') }),
    fc.record({ if: tie('schema'), then: tie('schema'), else: tie('schema') }),
    fc.record({
      properties: fc.record({ a: tie('schema') }),
      patternProperties: fc.record({ '^b': tie('schema') }),
      additionalProperties: tie('schema'),
    }),
    fc.record({ required: fc.constant(['a']), properties: fc.record({ a: tie('schema') }) }),
    fc.record({ items: tie('schema'), contains: tie('schema') }),
    fc.record({ uniqueItems: fc.constant(true), minItems: fc.nat(2) }),
    fc.record({ propertyNames: tie('schema'), minProperties: fc.nat(1) }),
    fc.record({ allOf: fc.tuple(tie('schema'), tie('schema')), unevaluatedProperties: tie('schema') }),
  ),
})) as { schema: fc.Arbitrary<Json> }
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    fc.constantFrom<Json[]>(1, -2, 1.5, 'a', 'abcd', '', null, true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'bb', 'c'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})) as { value: fc.Arbitrary<Json> }

/**
 * The same for the other validator: where items are arrays, it keeps what "contains" found in the item before for an empty one. "contains"
 * without "minContains" needs an item, so "minItems" changes nothing.
 */
const sayLeast = (s: Json): object =>
  JSON.parse(JSON.stringify(s), (_, it: Json) =>
    isObject(it) && 'contains' in it ? { ...it, minItems: 1 } : it,
  ) as object

test('an empty array contains nothing, also after one that contains a match', () => {
  const s = { items: { contains: { minimum: 0 } }, contains: true }
  for (const dialect of ['2020-12', 'draft-07'] as const)
    expect(
      [
        [[1], []],
        [[1], [1]],
      ].map((it) => isValid(s, it, { dialect })),
    ).toEqual([false, true])
})

test('agrees with an independent validator', () => {
  const [newer, older] = [
    new Ajv({ strict: false, logger: false, validateSchema: false }),
    new Draft07({ strict: false, logger: false, validateSchema: false }),
  ]
  fc.assert(
    fc.property(schema, value, (s, v) => {
      expect(isValid(s, v, { dialect: '2020-12' })).toBe(newer.validate(sayLeast(s), v))
      if (!JSON.stringify(s).includes('unevaluated'))
        expect(isValid(s, v, { dialect: 'draft-07' })).toBe(older.validate(sayLeast(s), v))
      expect(validate(s, v).length === 0).toBe(isValid(s, v))
    }),
    { numRuns: 400 },
  )
})
