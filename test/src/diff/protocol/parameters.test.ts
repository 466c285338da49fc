/** Parameters as text: what counts is whether the service understands the text that clients send. */
import type { Json } from '../../../../src/kernel/json.ts'
import { withOperation } from '../changes-of.ts'
import type { Pair } from './pairs.ts'
import { testPairs } from './pairs.ts'

const parameter = (fields: object): Json => withOperation({ parameters: [{ name: 'v', in: 'query', ...fields }] })
const query = (schema: object, rest: object = {}): Json => parameter({ schema, ...rest })
const path = (schema: object, rest: object = {}): Json =>
  ({
    openapi: '3.1.1',
    info: { title: 'A', version: '1' },
    paths: {
      '/a/{v}': {
        get: {
          parameters: [{ name: 'v', in: 'path', required: true, schema, ...rest }],
          responses: { '200': { description: 'ok' } },
        },
      },
    },
  }) as Json
const header = (schema: object, rest: object = {}): Json => parameter({ in: 'header', schema, ...rest })
const callback = (schema: object): Json =>
  withOperation({
    callbacks: {
      a: {
        '{$request.body#/u}': {
          post: { parameters: [{ name: 'v', in: 'query', schema }], responses: { '200': { description: 'ok' } } },
        },
      },
    },
  })

const string = { type: 'string' }
const integer = { type: 'integer' }
const array = (items: object, rest: object = {}): object => ({ type: 'array', items, ...rest })
const object = { type: 'object', properties: { a: string, b: integer } }

const defaults: readonly Pair[] = [
  [
    'another default is assumed when the parameter is omitted',
    query({ ...integer, default: 20 }),
    query({ ...integer, default: 50 }),
    'B',
    'B',
  ],
  ['without a default nobody knows what is assumed', query({ ...integer, default: 20 }), query(integer), 'B', 'B'],
  [
    'a required parameter is always sent: its default is never assumed',
    query({ ...integer, default: 20 }, { required: true }),
    query({ ...integer, default: 50 }, { required: true }),
    'N',
    'N',
  ],
  [
    'the default of a required parameter is gone',
    query({ ...integer, default: 20 }, { required: true }),
    query(integer, { required: true }),
    'N',
    'N',
  ],
  [
    'header parameters have defaults as well',
    header({ ...string, default: 'a' }),
    header({ ...string, default: 'b' }),
    'B',
    'B',
  ],
  [
    'a required parameter has to be sent, whatever its default',
    query({ ...integer, default: 20 }),
    query({ ...integer, default: 20 }, { required: true }),
    'B',
    'N',
  ],
  [
    'a new required parameter with a default was not sent before',
    withOperation({}),
    query({ ...integer, default: 20 }, { required: true }),
    'B',
    'B',
  ],
  [
    'in a body, a required property with a default has to be sent',
    body({ ...object }),
    body({ ...object, properties: { a: { ...string, default: 'x' } }, required: ['a'] }),
    'B',
    'N',
  ],
  [
    'a default written in another way is the same default',
    query({ ...integer, default: 20 }),
    query({ default: 20.0, ...integer }),
    'N',
    'N',
  ],
]

function body(schema: object): Json {
  return withOperation({ requestBody: { required: true, content: { 'application/json': { schema } } } })
}

const texts: readonly Pair[] = [
  [
    'an integer is sent as digits, which a string accepts; letters are no integer',
    query(integer),
    query(string),
    'N',
    'B',
  ],
  [
    'listed numbers and the same texts',
    query({ type: 'integer', enum: [1, 2] }),
    query({ type: 'string', enum: ['1', '2'] }),
    'N',
    'N',
  ],
  ['listed texts of which one is no number', query({ type: 'string', enum: ['1', 'x'] }), query(integer), 'B', 'B'],
  [
    'booleans as listed texts',
    query({ type: 'boolean' }),
    query({ type: 'string', enum: ['true', 'false'] }),
    'N',
    'N',
  ],
  [
    'the text "yes" is no boolean',
    query({ type: 'string', enum: ['yes', 'true'] }),
    query({ type: 'boolean' }),
    'B',
    'B',
  ],
  ['digits by pattern are integers', query({ type: 'string', pattern: '^[0-9]{1,4}$' }), query(integer), 'N', 'B'],
  [
    'a pattern that accepts all integers',
    query({ type: 'integer', minimum: 0 }),
    query({ type: 'string', pattern: '^[0-9]+$' }),
    'N',
    'N',
  ],
  ['a negative integer does not match', query(integer), query({ type: 'string', pattern: '^[0-9]+$' }), 'B', 'N'],
  [
    'a few integers by their bounds',
    query({ type: 'integer', minimum: 1, maximum: 3 }),
    query({ type: 'string', enum: ['1', '2', '3', '4'] }),
    'N',
    'B',
  ],
  ['a number with a fraction is no integer', query(integer), query({ type: 'number' }), 'N', 'B'],
  ['headers travel as text too', header(integer), header(string), 'N', 'B'],
  [
    'path parameters travel as text too',
    path({ type: 'integer', enum: [7] }),
    path({ type: 'string', const: '7' }),
    'N',
    'N',
  ],
  ['a constant and a listed text', query({ const: 5 }), query({ type: 'string', enum: ['5'] }), 'N', 'N'],
  ['in a callback the service sends the text and the client reads it', callback(string), callback(integer), 'N', 'B'],
  ['items are texts as well', query(array(integer)), query(array(string)), 'N', 'B'],
  [
    'listed items as texts',
    query(array({ type: 'integer', enum: [1, 2] })),
    query(array({ type: 'string', enum: ['1', '2'] })),
    'N',
    'N',
  ],
  [
    'members of an object are texts as well',
    query({ type: 'object', properties: { a: integer } }, { style: 'deepObject', explode: true }),
    query({ type: 'object', properties: { a: string } }, { style: 'deepObject', explode: true }),
    'N',
    'B',
  ],
]

const lists: readonly Pair[] = [
  ['one value is a list of one', query(integer), query(array(integer)), 'N', 'B'],
  [
    'one value is a list of one without explode, since a number has no comma',
    query(integer),
    query(array(integer), { explode: false }),
    'N',
    'B',
  ],
  ['a number is a list of one text', query(integer), query(array(string)), 'N', 'B'],
  [
    'a list with pipes has one item without a pipe',
    query(integer),
    query(array(integer), { style: 'pipeDelimited', explode: false }),
    'N',
    'B',
  ],
  [
    'a text with a comma would become two items, a list that is joined is a text',
    query(string),
    query(array(string), { explode: false }),
    'B',
    'N',
  ],
  [
    'listed texts without a comma',
    query({ type: 'string', enum: ['a', 'b'] }),
    query(array(string), { explode: false }),
    'N',
    'B',
  ],
  ['a list needs two items', query(integer), query(array(integer, { minItems: 2 })), 'B', 'B'],
  ['a list of at most one is its item', query(array(integer, { minItems: 1, maxItems: 1 })), query(integer), 'N', 'N'],
  [
    'the items of the list are others',
    query({ type: 'string', enum: ['a'] }),
    query(array({ type: 'string', enum: ['b'] })),
    'B',
    'B',
  ],
  ['a path parameter as a list', path(integer), path(array(integer)), 'N', 'B'],
  ['a header as a list', header(integer), header(array(integer)), 'N', 'B'],
]

const styles: readonly Pair[] = [
  [
    'form: one value is written the same way with and without explode',
    query(string),
    query(string, { explode: false }),
    'N',
    'N',
  ],
  ['form: a list is written another way', query(array(string)), query(array(string), { explode: false }), 'B', 'B'],
  [
    'simple: a list has commas with and without explode',
    header(array(string)),
    header(array(string), { explode: true }),
    'N',
    'N',
  ],
  ['simple: an object has other separators', header(object), header(object, { explode: true }), 'B', 'B'],
  [
    'matrix: one value is written the same way',
    path(string, { style: 'matrix' }),
    path(string, { style: 'matrix', explode: true }),
    'N',
    'N',
  ],
  [
    'label: a list has dots or commas',
    path(array(string), { style: 'label' }),
    path(array(string), { style: 'label', explode: true }),
    'B',
    'B',
  ],
  ['label and simple differ for single values', path(string), path(string, { style: 'label' }), 'B', 'B'],
  [
    'spaces or pipes between items',
    query(array(string), { style: 'spaceDelimited', explode: false }),
    query(array(string), { style: 'pipeDelimited', explode: false }),
    'B',
    'B',
  ],
  [
    'a list of at most one has no separator',
    query(array(string, { maxItems: 1 })),
    query(array(string, { maxItems: 1 }), { explode: false }),
    'N',
    'N',
  ],
  ['brackets or members', query(object), query(object, { style: 'deepObject', explode: true }), 'B', 'B'],
  [
    'brackets are written in one way only',
    query(object, { style: 'deepObject' }),
    query(object, { style: 'deepObject', explode: true }),
    'N',
    'N',
  ],
  ['defaults written out', query(array(string)), query(array(string), { style: 'form', explode: true }), 'N', 'N'],
  [
    'a number is the same text as JSON',
    query(integer),
    parameter({ content: { 'application/json': { schema: integer } } }),
    'N',
    'N',
  ],
  [
    'a text has quotes as JSON',
    query(string),
    parameter({ content: { 'application/json': { schema: string } } }),
    'B',
    'B',
  ],
  [
    'a text is itself as plain text',
    query(string),
    parameter({ content: { 'text/plain': { schema: string } } }),
    'N',
    'N',
  ],
  [
    'an object as JSON is another text than its members',
    query(object),
    parameter({ content: { 'application/json': { schema: object } } }),
    'B',
    'B',
  ],
  ['numbers have no reserved characters', query(integer, { allowReserved: true }), query(integer), 'N', 'N'],
  ['texts can have reserved characters', query(string, { allowReserved: true }), query(string), 'B', 'N'],
  [
    'a choice of single values is a single value',
    query({ oneOf: [integer, { type: 'boolean' }] }),
    query({ oneOf: [integer, { type: 'boolean' }] }, { explode: false }),
    'N',
    'N',
  ],
]

const ignored: readonly Pair[] = [
  ...['Accept', 'content-type', 'AUTHORIZATION'].map((name): Pair => [
    `a parameter named ${name} is ignored`,
    withOperation({}),
    parameter({ in: 'header', name, required: true, schema: string }),
    'N',
    'N',
  ]),
  [
    'another header counts',
    withOperation({}),
    parameter({ in: 'header', name: 'X-Accept', required: true, schema: string }),
    'B',
    'B',
  ],
  [
    'the case of a header name means nothing',
    parameter({ in: 'header', name: 'X-Id', schema: string }),
    parameter({ in: 'header', name: 'x-id', schema: string }),
    'N',
    'N',
  ],
  [
    'the case of a query parameter counts',
    parameter({ name: 'Id', schema: string }),
    parameter({ name: 'id', schema: string }),
    'B',
    'B',
  ],
]

testPairs('defaults of parameters', defaults)
testPairs('values of parameters as text', texts)
testPairs('single values and lists', lists)
testPairs('styles', styles)
testPairs('names of header parameters', ignored)
