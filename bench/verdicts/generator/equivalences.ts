/** Schemas that say the same in other words, and such that almost do. */
import type { Json, JsonObject } from '../case.ts'
import type { Random } from './random.ts'
import type { Version } from './schemas.ts'

/** Two schemas that allow the same values, and a third that does not allow one of them. */
export interface Equivalence {
  readonly versions: readonly Version[]
  readonly one: JsonObject
  readonly other: JsonObject
  readonly reason: string
  /** Like `other`, without one value of `one`. */
  readonly almost: JsonObject
  readonly witness: Json
}

const both: readonly Version[] = ['3.0', '3.1']
const modern: readonly Version[] = ['3.1']

export const equivalences: Readonly<Record<string, (random: Random) => Equivalence>> = {
  'all-of-split': (random) => {
    const most = random.int(10, 50)
    return {
      versions: both,
      one: { type: 'integer', minimum: 1, maximum: most },
      other: { allOf: [{ type: 'integer', minimum: 1 }, { maximum: most }] },
      almost: { allOf: [{ type: 'integer', minimum: 1 }, { maximum: most - 1 }] },
      witness: most,
      reason: 'Keywords of one schema hold together, as members of allOf do (core 10.2.1.1, allOf).',
    }
  },
  'any-of-enums': (random) => {
    const [a = '', b = '', c = ''] = random.values(3)
    return {
      versions: both,
      one: { type: 'string', enum: [a, b, c] },
      other: {
        anyOf: [
          { type: 'string', enum: [c] },
          { type: 'string', enum: [b, a] },
        ],
      },
      almost: {
        anyOf: [
          { type: 'string', enum: [c] },
          { type: 'string', enum: [b] },
        ],
      },
      witness: a,
      reason: 'A value is one of the list if it is one of a part of it (core 10.2.1.2, anyOf).',
    }
  },
  'one-of-disjoint': () => ({
    versions: both,
    one: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    other: { oneOf: [{ type: 'integer' }, { type: 'string' }] },
    almost: { oneOf: [{ type: 'integer' }, { type: 'string' }, { type: 'integer', minimum: 0 }] },
    witness: 7,
    reason:
      'No value is a string and an integer, so exactly one member accepts what any member accepts (core 10.2.1.3, oneOf).',
  }),
  'one-of-overlapping': () => ({
    versions: both,
    one: { anyOf: [{ type: 'number' }, { type: 'integer' }] },
    other: { type: 'number' },
    almost: { oneOf: [{ type: 'number' }, { type: 'integer' }] },
    witness: 3,
    reason: 'Every integer is a number, so the second member adds nothing (core 10.2.1.2, anyOf).',
  }),
  'not-not': (random) => {
    const most = random.int(3, 9)
    return {
      versions: both,
      one: { type: 'string', maxLength: most },
      other: { type: 'string', not: { not: { maxLength: most } } },
      almost: { type: 'string', not: { not: { maxLength: most - 1 } } },
      witness: 'x'.repeat(most),
      reason: 'What is refused by the refusal of a schema is accepted by the schema (core 10.2.1.4, not).',
    }
  },
  'bound-by-not': (random) => {
    const most = random.int(30, 90)
    return {
      versions: both,
      one: { type: 'integer', maximum: most },
      other: { type: 'integer', not: { minimum: most + 1 } },
      almost: { type: 'integer', not: { minimum: most } },
      witness: most,
      reason: 'An integer is at most the limit if it is not at least the next one (validation 6.2).',
    }
  },
  'integer-by-multiple': () => ({
    versions: both,
    one: { type: 'integer' },
    other: { type: 'number', multipleOf: 1 },
    almost: { type: 'number', multipleOf: 2 },
    witness: 3,
    reason: 'A number without a fraction is a multiple of one (validation 6.1.1 and 6.2.1).',
  }),
  'pattern-as-enum': (random) => {
    const [a = '', b = ''] = random.values(2)
    return {
      versions: both,
      one: { type: 'string', pattern: `^(${a}|${b})$` },
      other: { type: 'string', enum: [a, b] },
      almost: { type: 'string', enum: [a] },
      witness: b,
      reason: 'The expression matches the two texts and no other (validation 6.3.3, pattern).',
    }
  },
  'length-by-pattern': (random) => {
    const most = random.int(3, 7)
    return {
      versions: both,
      one: { type: 'string', pattern: '^[a-z]*$', maxLength: most },
      other: { type: 'string', pattern: `^[a-z]{0,${most}}$` },
      almost: { type: 'string', pattern: `^[a-z]{0,${most - 1}}$` },
      witness: 'x'.repeat(most),
      reason: 'The repetition allows as many letters as the limit (validation 6.3).',
    }
  },
  'required-in-all-of': (random) => {
    const [a = '', b = ''] = random.names(2)
    return {
      versions: both,
      one: { type: 'object', required: [a] },
      other: { allOf: [{ type: 'object' }, { required: [a] }] },
      almost: { allOf: [{ type: 'object', required: [b] }, { required: [a] }] },
      witness: { [a]: 1 },
      reason: 'A value has to be valid for both members, which together ask for the same (core 10.2.1.1, allOf).',
    }
  },
  'bound-that-cannot-matter': (random) => {
    const most = random.int(5, 9)
    return {
      versions: both,
      one: { type: 'string', maxLength: most, maximum: 3 },
      other: { type: 'string', maxLength: most, minItems: 4 },
      almost: { type: 'string', maxLength: most - 1, maximum: 3 },
      witness: 'x'.repeat(most),
      reason: 'Limits of numbers and arrays do not apply to strings (core 7.6.1).',
    }
  },
  'dead-branch': (random) => {
    const most = random.int(5, 90)
    const name = (maximum: number): JsonObject => ({
      allOf: [
        { type: 'string' },
        {
          anyOf: [
            { type: 'string', minLength: 1 },
            { type: 'integer', maximum },
          ],
        },
      ],
    })
    return {
      versions: both,
      one: name(most),
      other: name(most - 3),
      almost: { allOf: [{ type: 'string' }, { anyOf: [{ type: 'string', minLength: 2 }, { type: 'integer' }] }] },
      witness: 'x',
      reason:
        'The first member allows strings alone, so the branch of integers accepts nothing (core 10.2.1.1, allOf).',
    }
  },
  'types-by-any-of': () => ({
    versions: modern,
    one: { type: ['string', 'null'] },
    other: { anyOf: [{ type: 'null' }, { type: 'string' }] },
    almost: { anyOf: [{ type: 'string' }] },
    witness: null,
    reason: 'A value has one of the listed types if it has the one or the other (validation 6.1.1, type).',
  }),
  'dependent-required-by-any-of': (random) => {
    const [a = '', b = ''] = random.names(2)
    return {
      versions: modern,
      one: { type: 'object', dependentRequired: { [a]: [b] } },
      other: { type: 'object', anyOf: [{ not: { required: [a] } }, { required: [b] }] },
      almost: { type: 'object', required: [b] },
      witness: {},
      reason:
        'Where the one property is present the other has to be, which both say (validation 6.5.4, dependentRequired).',
    }
  },
  'condition-by-any-of': (random) => {
    const least = random.int(2, 5)
    return {
      versions: modern,
      one: { type: 'string', if: { maxLength: 3 }, then: { minLength: least > 3 ? 3 : least } },
      other: { type: 'string', anyOf: [{ not: { maxLength: 3 } }, { minLength: least > 3 ? 3 : least }] },
      almost: { type: 'string', not: { maxLength: 3 } },
      witness: 'xxx',
      reason: 'Either the condition does not hold or its consequence does (core 10.2.2, if and then).',
    }
  },
  'tuple-by-length': () => ({
    versions: modern,
    one: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    other: { type: 'array', items: { type: 'string' }, maxItems: 1 },
    almost: { type: 'array', items: { type: 'string' }, maxItems: 0 },
    witness: ['x'],
    reason: 'No item after the first is allowed, which is a length of at most one (core 10.3.1, items).',
  }),
  'closed-by-names': (random) => {
    const [a = '', b = ''] = random.names(2)
    return {
      versions: modern,
      one: { type: 'object', properties: { [a]: {}, [b]: {} }, additionalProperties: false },
      other: { type: 'object', propertyNames: { enum: [b, a] } },
      almost: { type: 'object', propertyNames: { enum: [a] } },
      witness: { [b]: 1 },
      reason:
        'The names that are listed are the names that are allowed (core 10.3.2, additionalProperties and propertyNames).',
    }
  },
  'closed-by-unevaluated': (random) => {
    const [a = ''] = random.names(1)
    return {
      versions: modern,
      one: { type: 'object', properties: { [a]: { type: 'string' } }, additionalProperties: false },
      other: { type: 'object', allOf: [{ properties: { [a]: { type: 'string' } } }], unevaluatedProperties: false },
      almost: {
        type: 'object',
        allOf: [{ properties: { [a]: { type: 'string', maxLength: 3 } } }],
        unevaluatedProperties: false,
      },
      witness: { [a]: 'xxxx' },
      reason:
        'The property is evaluated by the member of allOf, and no other is allowed (core 11.3, unevaluatedProperties).',
    }
  },
  'contains-none': () => ({
    versions: modern,
    one: { type: 'array', items: { type: 'integer' } },
    other: { type: 'array', items: { type: 'integer' }, contains: { const: 7 }, minContains: 0 },
    almost: { type: 'array', items: { type: 'integer' }, contains: { const: 7 }, minContains: 0, maxContains: 0 },
    witness: [7],
    reason: 'With a minContains of 0 an array without a match is valid too (validation 6.4.5, minContains).',
  }),
}
