/** What breaks in a part is proven by a whole message, or breaks no one. */
import { describe, expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020.js'
import fc from 'fast-check'
import type { Json } from '../../../src/kernel/json.ts'
import { changesOf, withOperation, withRequest, withResponse } from './changes-of.ts'

type Shown = readonly [severity: string, classification: string, value: Json | undefined, at: string | undefined]

const shownIn = (base: Json, head: Json): readonly Shown[] =>
  changesOf(base, head).map(({ severity, classification, witness }) => [
    severity,
    classification,
    witness?.value,
    witness?.at,
  ])

const number = (maximum: number) => ({ type: 'number', maximum })

describe('the counterexample is the whole message', () => {
  test('with the place of the part in it', () => {
    const body = (maximum: number): Json => ({
      type: 'object',
      required: ['id', 'list'],
      properties: {
        id: { type: 'string' },
        list: {
          type: 'array',
          minItems: 2,
          items: { type: 'object', additionalProperties: { type: 'array', prefixItems: [{}, number(maximum)] } },
        },
      },
    })
    expect(shownIn(withRequest(body(3)), withRequest(body(2)))).toEqual([
      ['breaking', 'breaking', { id: 'a', list: [{ a: ['a', 3] }, {}] }, '/list/0/a/1'],
    ])
  })

  test('of one of the messages that a component is part of', () => {
    const api = (maximum: number): Json =>
      withOperation(
        {
          requestBody: {
            content: {
              'application/json': {
                schema: { type: 'object', required: ['a'], properties: { a: { $ref: '#/components/schemas/A' } } },
              },
            },
          },
        },
        { components: { schemas: { A: { type: 'object', properties: { b: number(maximum) } } } } },
      )
    expect(shownIn(api(3), api(2))).toEqual([['breaking', 'breaking', { a: { b: 3 } }, '/a/b']])
  })

  test('of a response in the other direction', () => {
    const body = (maximum: number): Json => ({ type: 'object', required: ['a'], properties: { a: number(maximum) } })
    expect(shownIn(withResponse(body(2)), withResponse(body(3)))).toEqual([['breaking', 'breaking', { a: 3 }, '/a']])
  })
})

describe('a part that no valid message has breaks no one', () => {
  const nested = (maximum: number): Json => ({
    allOf: [
      { type: 'string' },
      { anyOf: [{ anyOf: [{ type: 'string', minLength: 1 }, number(maximum)] }, { const: null }] },
    ],
  })
  const beside = (maximum: number): Json => ({
    type: 'object',
    properties: {
      a: {
        type: 'string',
        anyOf: [{ type: 'string' }, { type: 'object', required: ['x'], properties: { x: number(maximum) } }],
      },
    },
  })
  const below = (maximum: number): Json => ({
    type: 'array',
    items: {
      allOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
        { properties: { a: { anyOf: [{ anyOf: [{ type: 'string' }, number(maximum)] }, { type: 'boolean' }] } } },
      ],
    },
  })
  for (const [name, of] of [
    ['a branch of a branch', nested],
    ['a branch of another type than the whole', beside],
    ['a branch of a part that another part narrows', below],
  ] as const)
    for (const [direction, api] of [
      ['request', withRequest],
      ['response', withResponse],
    ] as const)
      test(`${name}, in a ${direction}`, () => {
        for (const [before, after] of [
          [3, 2],
          [2, 3],
        ] as const)
          expect(shownIn(api(of(before)), api(of(after))).filter(([severity]) => severity === 'breaking')).toEqual([])
      })

  test('where the schema accepts nothing at all, what would break is undecided', () => {
    const empty = (maximum: number): Json => ({
      type: 'object',
      required: ['b'],
      properties: { c: number(maximum) },
      additionalProperties: false,
    })
    expect(shownIn(withRequest(empty(5)), withRequest(empty(4)))).toEqual([
      ['breaking', 'unknown', undefined, undefined],
    ])
  })

  test('properties beside a type that has none are undecided', () => {
    const stray = (type: string): Json => ({ type: 'string', properties: { a: { type } } })
    const body = (type: string): Json => ({ type: 'object', properties: { data: stray(type) } })
    expect(shownIn(withRequest(body('string')), withRequest(body('integer')))).toEqual([
      ['breaking', 'unknown', undefined, undefined],
    ])
  })
})

const leaf = fc.constantFrom<Json>(
  { type: 'string' },
  { type: 'integer', maximum: 3 },
  { type: 'integer', maximum: 2 },
  { enum: ['a', 1] },
  { enum: ['a'] },
  { type: ['string', 'null'], maxLength: 2 },
)
const schema = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc.record({ type: fc.constant('object'), properties: fc.record({ a: tie('any'), b: tie('any') }) }),
    fc
      .record({ a: tie('any') })
      .map((properties): Json => ({ type: 'object', required: ['a'], properties, additionalProperties: false })),
    fc.record({ type: fc.constant('array'), items: tie('any') }),
    fc.tuple(tie('any'), tie('any')).map((anyOf): Json => ({ anyOf })),
    fc.tuple(tie('any'), tie('any')).map((allOf): Json => ({ allOf })),
  ) as fc.Arbitrary<Json>,
})).any

test('one whole side accepts every counterexample, and the other rejects it', () => {
  const ajv = new Ajv({ strict: false, logger: false })
  const isValid = (by: Json, value: Json): boolean => ajv.validate(by as object, value)
  fc.assert(
    fc.property(schema, schema, fc.boolean(), (one, other, isRequest) => {
      const api = isRequest ? withRequest : withResponse
      for (const { witness, severity } of changesOf(api(one), api(other)))
        if (witness !== null) {
          expect(severity).toBe('breaking')
          const [sender, reader] = isRequest ? [one, other] : [other, one]
          expect([isValid(sender, witness.value), isValid(reader, witness.value)]).toEqual([true, false])
        }
    }),
    { numRuns: 300 },
  )
})
