import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Json } from '../../../src/kernel/json.ts'
import { isValid } from '../../../src/schema/validate.ts'
import { contained, schema, survives, value } from './attack.ts'

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
  [
    'the one multiple between two large bounds',
    { type: 'number', exclusiveMinimum: 1e15, maximum: 1_000_000_000_000_001, multipleOf: 1.5 },
    { type: 'number', maximum: 1e15 },
    false,
  ],
  ['fewer of the same', { contains: { const: 1 }, maxContains: 2 }, { contains: { const: 1 }, maxContains: 3 }, true],
  ['more of the same', { contains: { const: 1 }, minContains: 3 }, { contains: { const: 1 }, minContains: 2 }, true],
  [
    'one of a kind is one of a wider',
    { contains: { type: 'integer' }, maxContains: 2 },
    { contains: { type: 'number' } },
    true,
  ],
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
    expect(contained({ pattern: '^(a|b)\\1$' }, { pattern: '^(aa|bb)$' }).is).toBe('unknown')
  })

  test('who sends a value sends what is declared to it', () => {
    const open: Json = { type: 'object', properties: { a: { type: 'string' } } }
    const more: Json = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } }
    expect(contained(open, more, 'yes').is).toBe('escapes')
    expect(contained(open, more, 'no').is).toBe('contained')
    expect(contained(open, { ...more, additionalProperties: false }, 'no').is).toBe('escapes')
  })
})

describe('containment, attacked', () => {
  test('no generated value refutes a proof, and every counterexample is one', () => {
    fc.assert(
      fc.property(schema, schema, fc.array(value, { minLength: 30, maxLength: 30 }), (inner, outer, values) =>
        survives(inner, outer, contained(inner, outer), values),
      ),
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
