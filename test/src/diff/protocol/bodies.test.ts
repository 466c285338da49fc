/** Bodies, encodings, media types, response headers and statuses. */
import type { Json } from '../../../../src/kernel/json.ts'
import { withOperation } from '../changes-of.ts'
import type { Pair } from './pairs.ts'
import { testPairs } from './pairs.ts'

const string = { type: 'string' }
const integer = { type: 'integer' }
const object = (properties: object, ...required: string[]): object => ({ type: 'object', properties, required })
const list = { type: 'array', items: string }

const request = (content: object, openapi?: string): Json =>
  withOperation({ requestBody: { required: true, content } }, {}, openapi)
const response = (content: object, openapi?: string): Json =>
  withOperation({ responses: { '200': { description: 'ok', content } } }, {}, openapi)
const form = (
  schema: object,
  encoding: object = {},
  type = 'application/x-www-form-urlencoded',
  openapi?: string,
): Json => request({ [type]: { schema, encoding } }, openapi)
const multipart = (schema: object, encoding: object = {}, openapi?: string): Json =>
  form(schema, encoding, 'multipart/form-data', openapi)

const file = object({ f: { type: 'string', format: 'binary' } })
const part = object({ a: string })
const types = (contentType: string): object => ({ f: { contentType } })
const partHeader = (headers: object): Json => multipart(file, { f: { headers } }, '3.0.4')

const encodings: readonly Pair[] = [
  [
    'more content types are accepted',
    multipart(file, types('image/png'), '3.0.4'),
    multipart(file, types('image/png, image/jpeg'), '3.0.4'),
    'N',
    'B',
  ],
  [
    'a range includes its types',
    multipart(file, types('image/png'), '3.0.4'),
    multipart(file, types('image/*'), '3.0.4'),
    'N',
    'B',
  ],
  [
    'the same types in another order and spelling',
    multipart(file, types('image/png, IMAGE/JPEG'), '3.0.4'),
    multipart(file, types('image/jpeg,image/png'), '3.0.4'),
    'N',
    'N',
  ],
  [
    'the content type of a string is text/plain',
    multipart(part),
    multipart(part, { a: { contentType: 'text/plain' } }),
    'N',
    'N',
  ],
  [
    'the content type of an object is JSON',
    multipart(object({ a: object({}) })),
    multipart(object({ a: object({}) }), { a: { contentType: 'application/json' } }),
    'N',
    'N',
  ],
  [
    'an object as XML is another text',
    multipart(object({ a: object({}) })),
    multipart(object({ a: object({}) }), { a: { contentType: 'application/xml' } }),
    'B',
    'B',
  ],
  [
    'an encoding of a property that does not exist is ignored',
    multipart(part),
    multipart(part, { b: { contentType: 'text/csv' } }),
    'N',
    'N',
  ],
  [
    'JSON has no encoding',
    form(part, {}, 'application/json'),
    form(part, { a: { contentType: 'text/csv' } }, 'application/json'),
    'N',
    'N',
  ],
  [
    'multipart bodies have no style in OpenAPI 3.0',
    multipart(object({ a: list }), {}, '3.0.4'),
    multipart(object({ a: list }), { a: { style: 'pipeDelimited', explode: false } }, '3.0.4'),
    'N',
    'N',
  ],
  [
    'multipart/mixed has no style',
    form(object({ a: list }), {}, 'multipart/mixed'),
    form(object({ a: list }), { a: { style: 'form', explode: false } }, 'multipart/mixed'),
    'N',
    'N',
  ],
  [
    'forms write lists as queries do',
    form(object({ a: list })),
    form(object({ a: list }), { a: { style: 'form', explode: false } }),
    'B',
    'B',
  ],
  [
    'the style of forms written out',
    form(object({ a: list })),
    form(object({ a: list }), { a: { style: 'form', explode: true } }),
    'N',
    'N',
  ],
  ['a single value has one form', form(part), form(part, { a: { explode: false } }), 'N', 'N'],
  ['a part needs a header', partHeader({}), partHeader({ 'X-A': { required: true, schema: string } }), 'B', 'B'],
  ['a part can have a header', partHeader({}), partHeader({ 'X-A': { schema: string } }), 'N', 'B'],
  [
    'the value of the header of a part',
    partHeader({ 'X-A': { schema: string } }),
    partHeader({ 'X-A': { schema: { type: 'string', enum: ['a'] } } }),
    'B',
    'N',
  ],
  [
    'Content-Type is described elsewhere',
    partHeader({}),
    partHeader({ 'Content-Type': { required: true, schema: string } }),
    'N',
    'N',
  ],
  [
    'forms have no headers of parts',
    form(part),
    form(part, { a: { headers: { 'X-A': { required: true, schema: string } } } }),
    'N',
    'N',
  ],
]

const media: readonly Pair[] = [
  [
    'a charset means nothing',
    response({ 'application/json': {} }),
    response({ 'application/json; charset=utf-8': {} }),
    'N',
    'N',
  ],
  [
    'case and spaces mean nothing',
    response({ 'Application/JSON;V=1': {} }),
    response({ 'application/json; v=1': {} }),
    'N',
    'N',
  ],
  ['quotes and order mean nothing', response({ 'a/b;x="1";y=2': {} }), response({ 'a/b;y=2;x=1': {} }), 'N', 'N'],
  [
    'a version is a type of its own',
    response({ 'application/json;v=1': {} }),
    response({ 'application/json;v=2': {} }),
    'B',
    'B',
  ],
  [
    'one variant more',
    request({ 'application/json': {} }),
    request({ 'application/json': {}, 'application/json;v=2': {} }),
    'N',
    'B',
  ],
  [
    'the schema of a variant',
    response({ 'application/json': { schema: string }, 'application/json;v=2': { schema: string } }),
    response({ 'application/json': { schema: string }, 'application/json;v=2': { schema: integer } }),
    'B',
    'B',
  ],
  [
    'a charset beside another parameter',
    request({ 'application/json;v=2': {} }),
    request({ 'application/json;charset=UTF-8;v=2': {} }),
    'N',
    'N',
  ],
]

const stream = (itemSchema: object, type = 'application/jsonl'): Json => response({ [type]: { itemSchema } }, '3.2.0')
const sequences: readonly Pair[] = [
  ['an item may lack a property', stream(object({ a: string }, 'a')), stream(object({ a: string })), 'B', 'N'],
  [
    'in a request an item has to have a property',
    request({ 'application/jsonl': { itemSchema: object({ a: string }) } }, '3.2.0'),
    request({ 'application/jsonl': { itemSchema: object({ a: string }, 'a') } }, '3.2.0'),
    'B',
    'N',
  ],
  [
    'a sequence is an array of its items',
    response({ 'application/jsonl': { schema: list } }, '3.2.0'),
    stream(string),
    'N',
    'N',
  ],
  [
    'events',
    stream(object({ data: string }), 'text/event-stream'),
    stream(object({ data: integer }), 'text/event-stream'),
    'B',
    'B',
  ],
  ['an item schema for anything', response({ 'application/jsonl': {} }, '3.2.0'), stream(string), 'N', 'B'],
  [
    'the encoding of all items',
    items({ contentType: 'image/png' }),
    items({ contentType: 'image/png, image/gif' }),
    'N',
    'B',
  ],
  [
    'the encoding of the first part',
    items({ contentType: 'image/png' }, 'prefix'),
    items({ contentType: 'image/gif' }, 'prefix'),
    'B',
    'B',
  ],
]

function items(encoding: object, word: 'item' | 'prefix' = 'item'): Json {
  const own = word === 'item' ? { itemEncoding: encoding } : { prefixEncoding: [encoding] }
  return request({ 'multipart/mixed': { itemSchema: { type: 'string' }, ...own } }, '3.2.0')
}

const xml = (name: object, type = 'application/json', openapi?: string): Json =>
  response({ [type]: { schema: object({ a: { ...string, ...name } }) } }, openapi)
const hints: readonly Pair[] = [
  ['JSON has no XML names', xml({}), xml({ xml: { name: 'b' } }), 'N', 'N'],
  ['nor has a form', form(part), form(object({ a: { ...string, xml: { attribute: true } } })), 'N', 'N'],
  [
    'nor has a media type by its suffix',
    xml({}, 'application/problem+json'),
    xml({ xml: { name: 'b' } }, 'application/problem+json'),
    'N',
    'N',
  ],
  ['XML has', xml({}, 'application/xml'), xml({ xml: { name: 'b' } }, 'application/xml'), 'B', 'B'],
  [
    'and every type with its suffix',
    xml({}, 'application/atom+xml'),
    xml({ xml: { attribute: true } }, 'application/atom+xml'),
    'B',
    'B',
  ],
  [
    'a default written out',
    xml({}, 'application/xml'),
    xml({ xml: { attribute: false } }, 'application/xml'),
    'N',
    'N',
  ],
]

const header = (fields: object, name = 'X-A', openapi?: string): Json =>
  withOperation({ responses: { '200': { description: 'ok', headers: { [name]: fields } } } }, {}, openapi)
const members = object({ a: string })
const headers: readonly Pair[] = [
  ['an object has other separators', header({ schema: members }), header({ schema: members, explode: true }), 'B', 'B'],
  ['a list has commas anyway', header({ schema: list }), header({ schema: list, explode: true }), 'N', 'N'],
  ['a single value is itself', header({ schema: string }), header({ schema: string, explode: true }), 'N', 'N'],
  [
    'an object as JSON',
    header({ schema: members }),
    header({ content: { 'application/json': { schema: members } } }),
    'B',
    'B',
  ],
  [
    'a number as JSON',
    header({ schema: integer }),
    header({ content: { 'application/json': { schema: integer } } }),
    'N',
    'N',
  ],
  [
    'the media type of the value',
    header({ content: { 'application/json': { schema: members } } }),
    header({ content: { 'application/xml': { schema: members } } }),
    'B',
    'B',
  ],
  [
    'Content-Type is described elsewhere',
    header({ schema: string, required: true }, 'Content-Type'),
    header({ schema: integer, required: true }, 'content-type'),
    'N',
    'N',
  ],
  ['numbers were texts', header({ schema: integer }), header({ schema: string }), 'B', 'N'],
  [
    'the style written out',
    header({ schema: members }),
    header({ schema: members, style: 'simple', explode: false }),
    'N',
    'N',
  ],
]

const json = (schema: object): object => ({ description: 'ok', content: { 'application/json': { schema } } })
const statuses = (responses: object): Json => withOperation({ responses })
const failure = json(object({ code: integer }, 'code'))
const other = json(object({ code: string }, 'code'))
const success = json(object({ a: string }, 'a'))
const answers: readonly Pair[] = [
  [
    'an error of its own is the same as the default',
    statuses({ 200: success, default: failure }),
    statuses({ 200: success, 404: failure, default: failure }),
    'N',
    'N',
  ],
  [
    'an error of its own differs from the range',
    statuses({ 200: success, '4XX': failure }),
    statuses({ 200: success, 404: other, '4XX': failure }),
    'B',
    'B',
  ],
  [
    'a range differs from the default',
    statuses({ 200: success, default: failure }),
    statuses({ 200: success, '5XX': other, default: failure }),
    'B',
    'B',
  ],
  [
    'an error becomes part of its range',
    statuses({ 200: success, 404: failure }),
    statuses({ 200: success, '4XX': failure }),
    'N',
    'N',
  ],
  [
    'an error becomes part of a range that differs',
    statuses({ 200: success, 404: failure }),
    statuses({ 200: success, '4XX': other }),
    'B',
    'B',
  ],
  [
    'an error becomes part of the default',
    statuses({ 200: success, 404: failure }),
    statuses({ 200: success, default: other }),
    'B',
    'B',
  ],
  [
    'the range comes before the default',
    statuses({ 200: success, '4XX': failure, default: other }),
    statuses({ 200: success, 400: failure, '4XX': failure, default: other }),
    'N',
    'N',
  ],
  ['everything is the default', statuses({ default: success }), statuses({ 200: success, default: success }), 'N', 'B'],
  [
    'a success differs from the default that was everything',
    statuses({ default: failure }),
    statuses({ 200: success, default: failure }),
    'B',
    'B',
  ],
  [
    'the default beside successes is for errors',
    statuses({ 200: success, default: failure }),
    statuses({ 200: success, 201: success, default: failure }),
    'N',
    'B',
  ],
  ['an error that nothing described', statuses({ 200: success }), statuses({ 200: success, 404: failure }), 'N', 'N'],
  ['a success becomes a range', statuses({ 200: success }), statuses({ '2XX': success }), 'B', 'N'],
]

testPairs('encodings', encodings)
testPairs('media types', media)
testPairs('sequences of OpenAPI 3.2', sequences)
testPairs('XML hints', hints)
testPairs('response headers', headers)
testPairs('statuses, ranges and the default', answers)
