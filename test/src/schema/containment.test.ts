import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Json } from '../../../src/document/json.ts'
import { Comparer } from '../../../src/schema/containment.ts'
import type { Containment } from '../../../src/schema/containment.ts'
import { NodeFactory } from '../../../src/schema/node.ts'
import { Normaliser } from '../../../src/schema/normalise.ts'
import { isValid } from '../../../src/schema/validate.ts'

/** Whether every value of `inner` is one of `outer`; references go to `$defs` of their own schema. */
const contained = (inner: Json, outer: Json, undeclared: 'yes' | 'no' = 'yes'): Containment => {
  const factory = new NodeFactory()
  const normaliser = (root: Json, side: string): Normaliser =>
    new Normaliser(
      factory,
      {
        dialect: '2020-12',
        formats: 'asserted',
        resolve: (ref) => {
          let at: Json | undefined = root
          for (const step of ref.slice(2).split('/')) at = (at as { [key: string]: Json } | undefined)?.[step]
          return at === undefined ? null : { key: `${side} ${ref}`, schema: at }
        },
      },
      null,
      (key) => key,
    )
  const a = normaliser(inner, 'inner')
  const b = normaliser(outer, 'outer')
  const resolve = (key: string) => {
    const from = key.startsWith('inner') ? a : b
    return from.node(from.targets.get(key))
  }
  return new Comparer(factory, resolve, undeclared).contains(b.node(outer), a.node(inner))
}

const list = (depth: number): Json =>
  depth === 0
    ? { $ref: '#/$defs/list' }
    : { type: 'object', required: ['value'], properties: { value: { type: 'integer' }, next: list(depth - 1) } }
const rolled: Json = { $ref: '#/$defs/list', $defs: { list: list(1) } }
const unrolled: Json = { allOf: [list(2)], $defs: { list: list(1) } }

const cases: readonly (readonly [string, Json, Json, boolean])[] = [
  ['integers are numbers', { type: 'integer' }, { type: 'number' }, true],
  ['numbers are not all integers', { type: 'number' }, { type: 'integer' }, false],
  ['an exclusive integer bound', { type: 'integer', exclusiveMinimum: 0 }, { type: 'integer', minimum: 1 }, true],
  ['a multiple of a multiple', { type: 'integer', multipleOf: 10 }, { type: 'integer', multipleOf: 5 }, true],
  ['a part of a multiple', { type: 'integer', multipleOf: 5 }, { type: 'integer', multipleOf: 10 }, false],
  ['decimal multiples', { type: 'number', multipleOf: 0.3 }, { type: 'number', multipleOf: 0.1 }, true],
  ['a wider pattern', { type: 'string', pattern: '^a{1,5}$' }, { type: 'string', pattern: '^a{1,10}$' }, true],
  ['a narrower pattern', { type: 'string', pattern: '^a{1,10}$' }, { type: 'string', pattern: '^a{1,5}$' }, false],
  ['an enum within a pattern', { enum: ['ab', 'ba'] }, { type: 'string', pattern: '^[ab]+$' }, true],
  [
    'a length within a pattern',
    { type: 'string', maxLength: 5, pattern: '^(ab)*$' },
    { type: 'string', pattern: '^(ab){0,2}$' },
    true,
  ],
  [
    'types as a list and as a choice',
    { type: ['string', 'null'] },
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    true,
  ],
  ['a disjoint oneOf', { type: ['string', 'null'] }, { oneOf: [{ type: 'string' }, { type: 'null' }] }, true],
  [
    'an overlapping oneOf',
    { type: 'string' },
    { oneOf: [{ type: 'string' }, { type: 'string', minLength: 3 }] },
    false,
  ],
  [
    'a split allOf',
    { properties: { a: { type: 'string' }, b: { type: 'number' } } },
    { allOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'number' } } }] },
    true,
  ],
  ['double negation', { not: { not: { type: 'string' } } }, { type: 'string' }, true],
  ['closed against open', { type: 'object' }, { type: 'object', additionalProperties: false }, false],
  [
    'a property covered by additionalProperties',
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
    { type: 'object', additionalProperties: { type: 'string' } },
    true,
  ],
  ['a required name nobody declares', { type: 'object' }, { type: 'object', required: ['a'] }, false],
  ['a dependency', { type: 'object', required: ['a'], dependentRequired: { a: ['b'] } }, { required: ['b'] }, true],
  [
    'property names',
    { type: 'object', propertyNames: { pattern: '^a' } },
    { type: 'object', propertyNames: { maxLength: 3 } },
    false,
  ],
  [
    'a condition',
    { if: { type: 'string' }, then: { minLength: 2 } },
    { anyOf: [{ not: { type: 'string' } }, { minLength: 2 }] },
    true,
  ],
  [
    'distinct items of two values',
    { type: 'array', items: { enum: [1, 2] }, uniqueItems: true },
    { maxItems: 2 },
    true,
  ],
  [
    'a contained item',
    { type: 'array', items: { type: 'string' }, minItems: 1 },
    { contains: { type: 'string' } },
    true,
  ],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }], items: false }, { items: { type: 'string' } }, true],
  ['a list unrolled once', rolled, unrolled, true],
  ['a list rolled up', unrolled, rolled, true],
  [
    'a list that ends nowhere has no value',
    { $ref: '#/$defs/a', $defs: { a: { type: 'object', required: ['a'], properties: { a: { $ref: '#/$defs/a' } } } } },
    false,
    true,
  ],
]

describe('containment', () => {
  for (const [name, inner, outer, expected] of cases) {
    test(name, () => {
      const answer = contained(inner, outer)
      expect(answer.is).toBe(expected ? 'contained' : 'escapes')
      if (answer.is === 'escapes') {
        expect([isValid(inner, answer.value), isValid(outer, answer.value)]).toEqual([true, false])
      }
    })
  }

  test('what cannot be decided is unknown', () => {
    expect(contained({ pattern: '^(?=a)' }, { pattern: '^(?=b)' }).is).toBe('unknown')
  })

  test('who sends a value sends what is declared to it', () => {
    const open: Json = { type: 'object', properties: { a: { type: 'string' } } }
    const more: Json = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } }
    expect(contained(open, more, 'yes').is).toBe('escapes')
    expect(contained(open, more, 'no').is).toBe('contained')
    expect(contained(open, { ...more, additionalProperties: false }, 'no').is).toBe('escapes')
  })
})

const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(true, false, {}),
  fc.record({ type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'object', 'array') }),
  fc.record(
    { minimum: fc.integer({ min: -3, max: 3 }), maximum: fc.integer({ min: -3, max: 5 }) },
    { requiredKeys: [] },
  ),
  fc.record({ type: fc.constant('integer'), multipleOf: fc.integer({ min: 1, max: 6 }) }),
  fc.record(
    { minLength: fc.integer({ min: 0, max: 3 }), maxLength: fc.integer({ min: 0, max: 4 }) },
    { requiredKeys: [] },
  ),
  fc.record({ type: fc.constant('string'), pattern: fc.constantFrom('^a', 'b$', '^[ab]*$', '^a{1,3}$', 'c') }),
  fc.record({
    enum: fc.uniqueArray(fc.constantFrom<Json>(0, 1, 2, 'a', 'ab', '', null, true), { minLength: 1, maxLength: 4 }),
  }),
)
const schema: fc.Arbitrary<Json> = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.record({
      properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('node'), { maxKeys: 2 }),
      required: fc.subarray(['a', 'b']),
    }),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('node'), { maxKeys: 2 }),
      additionalProperties: tie('node'),
    }),
    fc.record({ type: fc.constant('array'), items: tie('node'), minItems: fc.integer({ min: 0, max: 2 }) }),
    fc.record({ allOf: fc.array(tie('node'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ anyOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('node') }),
  ),
})).node
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>(
      null,
      true,
      false,
      -3,
      -1,
      0,
      1,
      2,
      3,
      4,
      0.5,
      6,
      '',
      'a',
      'b',
      'ab',
      'ba',
      'aaa',
      'c',
      'abcd',
    ),
    fc.array(tie('value'), { maxLength: 3 }) as fc.Arbitrary<Json>,
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }) as fc.Arbitrary<Json>,
  ),
})).value

describe('containment, attacked', () => {
  test('no generated value refutes a proof, and every counterexample is one', () => {
    fc.assert(
      fc.property(schema, schema, fc.array(value, { minLength: 30, maxLength: 30 }), (inner, outer, values) => {
        const answer = contained(inner, outer)
        if (answer.is === 'escapes') return isValid(inner, answer.value) && !isValid(outer, answer.value)
        if (answer.is === 'unknown') return true
        return !values.some((it) => isValid(inner, it) && !isValid(outer, it))
      }),
      { numRuns: 1500, seed: 7 },
    )
  })

  test('every schema is contained in itself and in a choice with another', () => {
    fc.assert(
      fc.property(
        schema,
        schema,
        (a, b) =>
          contained(a, a).is === 'contained' &&
          contained(a, { anyOf: [b, a] }).is !== 'escapes' &&
          contained({ allOf: [a, b] }, b).is !== 'escapes',
      ),
      { numRuns: 300, seed: 7 },
    )
  })

  test('containment is transitive', () => {
    fc.assert(
      fc.property(schema, schema, schema, (a, b, c) => {
        if (contained(a, b).is !== 'contained' || contained(b, c).is !== 'contained') return true
        return contained(a, c).is !== 'escapes'
      }),
      { numRuns: 400, seed: 7 },
    )
  })
})
