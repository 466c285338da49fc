/** Bodies that are text on the wire, and lists that are one text. */
import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../../src/kernel/json.ts'
import { changesOf, withOperation } from '../changes-of.ts'
import type { Pair } from './pairs.ts'
import { testPairs } from './pairs.ts'

const body = (media: string, schema: Json, encoding?: object): Json =>
  withOperation({
    requestBody: { required: true, content: { [media]: { schema, ...(encoding ? { encoding } : {}) } } },
  })
const answer = (media: string, schema: Json): Json =>
  withOperation({ responses: { '200': { description: 'ok', content: { [media]: { schema } } } } })
const form = 'application/x-www-form-urlencoded'
const parts = 'multipart/form-data'
const a = (schema: Json): Json => ({ type: 'object', properties: { a: schema } })
const list = (items: Json, more: object = {}): Json => ({ type: 'array', items, ...more })
const text = { type: 'string' }
const integer = { type: 'integer' }
const asJson = { a: { contentType: 'application/json' } }
const query = (schema: Json, more: object = {}): Json =>
  withOperation({ parameters: [{ name: 'q', in: 'query', schema, ...more }] })
const header = (schema: Json): Json =>
  withOperation({ responses: { '200': { description: 'ok', headers: { 'X-A': { schema } } } } })
const joined = { explode: false }
const digits = { type: 'integer', minimum: 0, maximum: 9 }

const pairs: readonly Pair[] = [
  ['form: an integer, then a text', body(form, a(integer)), body(form, a(text)), 'N', 'B'],
  [
    'form: a boolean, then its texts',
    body(form, a({ type: 'boolean' })),
    body(form, a({ enum: ['true', 'false'] })),
    'N',
    'N',
  ],
  ['form: an integer, then a list', body(form, a(integer)), body(form, a(list(integer))), 'N', 'B'],
  [
    'form: a list as one text, then any text',
    body(form, a(list(integer)), { a: joined }),
    body(form, a(text), { a: joined }),
    'N',
    'B',
  ],
  ['form: a part as JSON is no text', body(form, a(integer), asJson), body(form, a(text), asJson), 'B', 'B'],
  ['form: a branch of a choice', body(form, { oneOf: [a(integer)] }), body(form, { oneOf: [a(text)] }), 'N', 'B'],
  [
    'form: with a condition beside it',
    body(form, { ...(a(integer) as object), not: { required: ['b'] } }),
    body(form, { ...(a(text) as object), not: { required: ['b'] } }),
    'N',
    'B',
  ],
  ['form in a response', answer(form, a(text)), answer(form, a(integer)), 'N', 'B'],
  ['parts: an integer, then a text', body(parts, a(integer)), body(parts, a(text)), 'N', 'B'],
  ['parts: a list of integers, then of texts', body(parts, a(list(integer))), body(parts, a(list(text))), 'N', 'B'],
  ['parts: one integer, then a list', body(parts, a(integer)), body(parts, a(list(integer))), 'N', 'B'],
  ['parts: as JSON', body(parts, a(integer), asJson), body(parts, a(text), asJson), 'B', 'B'],
  ['parts: what is in an object is JSON', body(parts, a(a(integer))), body(parts, a(a(text))), 'B', 'B'],
  ['plain text: an integer, then a text', body('text/plain', integer), body('text/plain', text), 'N', 'B'],
  [
    'plain text with a charset',
    body('text/plain; charset=utf-8', integer),
    body('text/plain; charset=utf-8', text),
    'N',
    'B',
  ],
  ['JSON is no text', body('application/json', integer), body('application/json', text), 'B', 'B'],
  ['a header of a response', header(text), header(integer), 'N', 'B'],
  [
    'query: a list of digits that a pattern reads',
    query(list(digits), joined),
    query({ type: 'string', pattern: '^[0-9](,[0-9])*$' }, joined),
    'N',
    'N',
  ],
  [
    'query: a pattern that takes fewer digits',
    query(list(digits), joined),
    query({ type: 'string', pattern: '^[0-9](,[0-8])*$' }, joined),
    'B',
    'N',
  ],
  [
    'query: a pattern for at most two of them',
    query(list(integer, { minItems: 1, maxItems: 2 }), joined),
    query({ type: 'string', pattern: '^-?[0-9]+(,-?[0-9]+)?$' }, joined),
    'N',
    'N',
  ],
  [
    'query: digits, then a list of short texts',
    query({ ...digits, minimum: -9 }),
    query(list({ ...text, maxLength: 2 }), joined),
    'N',
    'B',
  ],
  [
    'form: a text of two digits, then a list of numbers',
    body(form, a({ ...text, pattern: '^[0-9]{1,2}$' })),
    body(form, a(list({ ...integer, minimum: -1 }))),
    'N',
    'B',
  ],
  [
    'query: a text of three digits, then a number to 99',
    query({ ...text, pattern: '^[0-9]{3}$' }),
    query({ ...integer, minimum: 0, maximum: 99 }),
    'B',
    'B',
  ],
  [
    'a header: an object that is one text',
    header(text),
    header({ type: 'object', properties: { p: integer } }),
    'N',
    'B',
  ],
]
testPairs('what is text is compared as text', pairs)

/** A text of many items can be read in more ways than are looked at: then no one can tell. */
const many = (more: object): Json => query(list(digits, { minItems: 9, maxItems: 9, ...more }), joined)
describe('lists of many items as one text', () => {
  test.each<[string, Json]>([
    ['nine texts are wanted', { contains: { type: 'string' }, minContains: 9 }],
    ['no number is wanted', { not: { contains: { type: 'integer' } } }],
  ])('%s', (_, wanted) => {
    const after = query(list({}, { minItems: 9, ...(wanted as object) }), joined)
    const alarms = changesOf(many({}), after).filter((it) => it.classification !== 'safe')
    expect(alarms.map(({ classification, witness }) => [classification, witness ?? null])).toEqual([['unknown', null]])
  })
})

test('a counterexample of a form is the form', () => {
  const [change] = changesOf(body(form, a(text)), body(form, a(integer)))
  expect([change?.classification, change?.witness?.value, change?.witness?.at]).toEqual(['breaking', { a: '' }, '/a'])
})

describe('a counterexample is one in no reading of its text', () => {
  const path = (schema: Json, more: object): Json => ({
    openapi: '3.1.1',
    info: { title: 'A', version: '1' },
    paths: {
      '/a/{v}': {
        get: {
          parameters: [{ name: 'v', in: 'path', required: true, schema, ...more }],
          responses: { '200': { description: 'ok' } },
        },
      },
    },
  })
  const label = { style: 'label', explode: true }
  const even = { ...integer, multipleOf: 2 }
  const cases: readonly (readonly [string, Json, Json, Json])[] = [
    [
      'a number of four digits, not one of one',
      query({ ...integer, minimum: 1 }),
      query(list({ ...text, maxLength: 3 }), joined),
      1000,
    ],
    [
      'a list of one, not a text of three characters',
      query(list({ ...text, maxLength: 3 }, { minItems: 1 }), joined),
      query({ ...text, minLength: 2 }, joined),
      ['a'],
    ],
    [
      'a list that is no number, although it has a point',
      path(list(even, { minItems: 1, maxItems: 3 }), label),
      path(integer, label),
      [0, 0, 0],
    ],
  ]
  test.each(cases)('%s', (_, base, head, value) => {
    const shown = changesOf(base, head).flatMap((it) => (it.witness ? [it.witness.value] : []))
    expect(shown).toContainEqual(value)
  })
})
