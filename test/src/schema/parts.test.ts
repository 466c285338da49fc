/** Arrays and objects: values that only a search through all of their places and names finds. */
import { describe, expect, test } from 'bun:test'
import { randomFrom } from '../diff/mutations.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { contained } from './attack.ts'
import { attackContainers } from './judge.ts'

const two = { type: 'array', contains: { const: 'a' }, minContains: 2 } as const
const prefix = [{ const: 'a' }, { const: 'b' }, { const: 'a' }]
const mixed = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }, { type: 'string' }], items: false }
const pairwise = {
  type: 'array',
  maxItems: 3,
  allOf: [
    { contains: { enum: ['ab', 'ac'] }, minContains: 2 },
    { contains: { enum: ['ab', 'bc'] }, minContains: 2 },
    { contains: { enum: ['ac', 'bc'] }, minContains: 2 },
  ],
}
const choice = { type: 'object', properties: { a: { enum: ['x', 'y'] } }, required: ['a'], additionalProperties: false }

type Case = readonly [name: string, inner: Json, outer: Json, counterexample: Json | null]
const cases: readonly Case[] = [
  [
    'two items break two declarations',
    { type: 'array' },
    { anyOf: [{ items: { type: 'string' } }, { items: { not: { type: 'string' } } }] },
    [0, 'a'],
  ],
  [
    'one item cannot break both',
    { type: 'array', maxItems: 1 },
    { anyOf: [{ items: { type: 'string' } }, { items: { not: { type: 'string' } } }] },
    null,
  ],
  [
    'equal items and one that breaks a declaration',
    { type: 'array', items: { type: 'integer' } },
    { anyOf: [{ uniqueItems: true }, { items: { maximum: 3 } }, { items: { minimum: 0 } }] },
    [4, 4, -1],
  ],
  [
    'counted items beside equal ones',
    { type: 'array', contains: { const: 'a' } },
    { anyOf: [{ uniqueItems: true }, { items: { enum: ['a'] } }] },
    ['a', 'a', 'b'],
  ],
  [
    'counted items after one that breaks a declaration',
    { ...two, minContains: 3, allOf: [{ contains: { const: 'b' } }] },
    { items: { enum: ['a', 'b'] } },
    ['a', 'a', 'a', 'b', 'c'],
  ],
  [
    'counted items that are not next to each other',
    { ...two, prefixItems: prefix, maxItems: 3 },
    { maxItems: 2 },
    ['a', 'b', 'a'],
  ],
  ['items of several kinds', pairwise, { maxItems: 2 }, ['ab', 'ac', 'bc']],
  ['too few items for all kinds', { ...pairwise, maxItems: 2 }, { minItems: 3 }, null],
  ['more items than a person would write', { ...two, minContains: 60 }, { maxItems: 59 }, Array(60).fill('a')],
  ['at most one of a kind', mixed, { contains: { type: 'string' }, minContains: 0, maxContains: 1 }, ['a', 0, 'a']],
  ['at most two of a kind', mixed, { contains: { type: 'string' }, minContains: 0, maxContains: 2 }, null],
  [
    'distinct items of one value',
    { type: 'array', prefixItems: [{ const: 1 }, { const: 1 }], minItems: 2, uniqueItems: true },
    false,
    null,
  ],
  [
    'distinct items, one of which gives way',
    { type: 'array', prefixItems: [{ enum: [1, 2] }, { const: 1 }], minItems: 2, maxItems: 2, uniqueItems: true },
    false,
    [2, 1],
  ],
  [
    'arrays other than those listed',
    { type: 'array', items: { enum: ['x', 'y'] }, minItems: 1, maxItems: 1 },
    { enum: [['x'], ['y']] },
    null,
  ],
  [
    'one array other than that listed',
    { type: 'array', items: { enum: ['x', 'y'] }, minItems: 1, maxItems: 1 },
    { enum: [['x']] },
    ['y'],
  ],
  ['a shorter array', { type: 'array', items: { const: 'x' }, maxItems: 1 }, { enum: [['x']] }, []],
  ['objects other than those listed', choice, { enum: [{ a: 'x' }, { a: 'y' }] }, null],
  ['one object other than that listed', choice, { enum: [{ a: 'x' }] }, { a: 'y' }],
  [
    'a name that only a pattern matches',
    { type: 'object', patternProperties: { c: { maxItems: 1 } } },
    { propertyNames: { not: { const: 'c' } } },
    { c: 'a' },
  ],
  ['the empty name', { type: 'object' }, { propertyNames: { minLength: 1 } }, { '': 'a' }],
  ['the empty name by a pattern', { type: 'object' }, { patternProperties: { '^$': { type: 'string' } } }, { '': 0 }],
  [
    'one property that breaks a declaration and a rule for names',
    { type: 'object', propertyNames: { enum: ['a'] }, maxProperties: 1 },
    { anyOf: [{ patternProperties: { '^a': { not: { const: 1 } } } }, { propertyNames: { maxLength: 0 } }] },
    { a: 1 },
  ],
  [
    'one name that breaks two rules',
    { type: 'object' },
    { anyOf: [{ propertyNames: { pattern: '^a' } }, { propertyNames: { pattern: '^[^a]' } }] },
    { '': 'a' },
  ],
]

describe('parts of values', () => {
  for (const [name, inner, outer, counterexample] of cases)
    test(name, () => {
      const answer = contained(inner, outer)
      expect(answer).toEqual(counterexample === null ? { is: 'contained' } : { is: 'escapes', value: counterexample })
    })
})

test('no verdict on arrays and objects is refuted by any value of a small world', () => {
  const { tally, refuted } = attackContainers(150, randomFrom(20_261_122))
  expect(refuted).toBeNull()
  expect(Math.min(tally.safe, tally.breaking)).toBeGreaterThan(20)
  expect(tally.unknown).toBe(0)
}, 60_000)
