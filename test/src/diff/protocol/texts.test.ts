/** Bodies that are text on the wire, and lists that are one text. */
import { expect, test } from 'bun:test'
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
]
testPairs('what is text is compared as text', pairs)

test('a counterexample of a form is the form', () => {
  const [change] = changesOf(body(form, a(text)), body(form, a(integer)))
  expect([change?.classification, change?.witness?.value, change?.witness?.at]).toEqual(['breaking', { a: '' }, '/a'])
})
