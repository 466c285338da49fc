/**
 * Longer than 400 lines: tables. Pairs written against the comparison, by someone who looks for what it gets wrong: each with its
 * answer forward and backward, and the reason where it is not plain.
 */
import { testPairs } from '../protocol/pairs.ts'
import {
  answer,
  content,
  integer,
  list,
  number,
  object,
  ok,
  operation,
  Pairs,
  ref,
  request,
  response,
  text,
} from './builders.ts'
import type { Fields } from './builders.ts'
import type { Json } from '../../../../src/kernel/json.ts'

const { pair, both, all } = new Pairs()
const query = (schema: Json, more: Fields = {}): Json =>
  operation({ parameters: [{ name: 'q', in: 'query', schema, ...more }] })
const header = (schema: Json, more: Fields = {}, name = 'X-A'): Json =>
  operation({ responses: { '200': { ...ok, headers: { [name]: { schema, ...more } } } } })
const responses = (fields: Fields): Json => operation({ responses: fields })
const closed = (properties: Fields, ...required: string[]): Fields => ({
  ...object(properties, ...required),
  additionalProperties: false,
})

// Read-only and write-only properties, by direction.
both('readOnly: false is the default', object({ a: { ...text, readOnly: false } }), object({ a: text }), 'N', 'N')
pair(
  'a read-only property within an item may change in a request',
  request(list(object({ id: { ...text, readOnly: true }, b: text }))),
  request(list(object({ id: { ...integer, readOnly: true }, b: text }))),
  'N',
  'N',
)
pair(
  'a read-only property within an item may not change in a response',
  response(list(object({ id: { ...text, readOnly: true }, b: text }))),
  response(list(object({ id: { ...integer, readOnly: true }, b: text }))),
  'B',
  'B',
)
pair(
  'a write-only property that is required is sent once it is not write-only',
  response(object({ a: { ...text, writeOnly: true } }, 'a'), {}, '3.0.3'),
  response(object({ a: text }, 'a'), {}, '3.0.3'),
  'N',
  'B',
)
pair(
  'a read-only property of a referenced schema',
  request({ allOf: [ref('A')], required: ['id'] }, { A: object({ id: { ...text, readOnly: true } }) }, '3.0.3'),
  request({ allOf: [ref('A')] }, { A: object({ id: { ...text, readOnly: true } }) }, '3.0.3'),
  'N',
  'N',
)

// Schemas of several parts.
both(
  'bounds in two parts are bounds of one',
  { allOf: [object({ a: { ...text, minLength: 2 } }), { properties: { a: { maxLength: 5 } } }] },
  object({ a: { ...text, minLength: 2, maxLength: 5 } }),
  'N',
  'N',
)
both(
  'a property that a closed part excludes was never valid',
  { allOf: [object({ a: text, b: text }), closed({ a: text })] },
  closed({ a: text }),
  'N',
  'N',
)
both('a sibling of a reference counts', { ...ref('A'), required: ['a'] }, ref('A'), 'N', 'B', '3.1.1', {
  A: object({ a: text }),
})
both('a sibling of a reference is ignored before 3.1', { ...ref('A'), maxLength: 2 }, ref('A'), 'N', 'N', '3.0.3', {
  A: text,
})
both(
  'an allOf of three with the same pattern',
  { allOf: [text, { pattern: '^a' }, { pattern: '^a' }] },
  { ...text, pattern: '^a' },
  'N',
  'N',
)
both('oneOf within allOf', { allOf: [{ oneOf: [text, integer] }, { not: integer }] }, text, 'N', 'N')
both(
  'unevaluatedProperties over allOf',
  { allOf: [object({ a: text }), object({ b: text })], unevaluatedProperties: false },
  closed({ a: text, b: text }),
  'N',
  'N',
)
both(
  'additionalProperties does not look into allOf',
  { allOf: [object({ a: text }, 'a')], properties: { b: text }, additionalProperties: false },
  closed({ a: text, b: text }, 'a'),
  'N',
  'B',
)

// Resources and references.
const tree = (label: Json): Fields => ({
  Root: {
    $id: 'https://a.example/root',
    type: 'object',
    properties: { node: { $ref: 'node' }, label: { $ref: '#/$defs/label' } },
    $defs: {
      label,
      node: { $id: 'node', type: 'object', properties: { label: { $ref: '#/$defs/label' } }, $defs: { label: text } },
    },
  },
})
pair(
  'a pointer within an embedded resource starts at its root',
  request(ref('Root'), tree(text)),
  request(ref('Root'), tree(integer)),
  'B',
  'B',
)
both('an anchor of another name', ref('A'), ref('A'), 'N', 'N', '3.1.1', { A: text })
pair(
  'an anchor is a name only',
  request(ref('A'), { A: { $id: 'https://a.example/a', $ref: '#x', $defs: { x: { $anchor: 'x', ...text } } } }),
  request(ref('A'), { A: { $id: 'https://a.example/a', $ref: '#y', $defs: { y: { $anchor: 'y', ...text } } } }),
  'N',
  'N',
)
pair(
  'two anchors of one name in two resources',
  request(ref('A'), {
    A: { $id: 'https://a.example/a', $ref: '#x', $defs: { x: { $anchor: 'x', ...text } } },
    B: { $id: 'https://a.example/b', $defs: { x: { $anchor: 'x', ...integer } } },
  }),
  request(ref('A'), {
    A: { $id: 'https://a.example/a', $ref: 'b#x', $defs: { x: { $anchor: 'x', ...text } } },
    B: { $id: 'https://a.example/b', $defs: { x: { $anchor: 'x', ...integer } } },
  }),
  'B',
  'B',
)
const generic = (item: Json): Fields => ({
  List: {
    $id: 'https://a.example/list',
    type: 'array',
    items: { $dynamicRef: '#item' },
    $defs: { any: { $dynamicAnchor: 'item' } },
  },
  Own: { $id: 'https://a.example/own', $ref: 'list', $defs: { it: { $dynamicAnchor: 'item', ...(item as Fields) } } },
})
pair(
  'a dynamic reference means the anchor of the outermost',
  request(ref('Own'), generic(text)),
  request(ref('Own'), generic({ ...text, maxLength: 3 })),
  'B',
  'N',
)

// Values are compared as values.
both('the order of a list within a constant', { const: { type: [1, 2] } }, { const: { type: [2, 1] } }, 'B', 'B')
both('the order of a list that is listed', { enum: [['a', 'b']] }, { enum: [['b', 'a']] }, 'B', 'B')
both('the order of listed values', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }, 'N', 'N')
both('the order of keys within a constant', { const: { a: 1, b: 2 } }, { const: { b: 2, a: 1 } }, 'N', 'N')
both(
  'a constant called like a keyword',
  { const: { required: ['a', 'b'] } },
  { const: { required: ['b', 'a'] } },
  'B',
  'B',
)
both('a boolean is not a number', { enum: [1, true] }, { enum: [1] }, 'B', 'N')
both(
  'integers as a list or as bounds',
  { ...integer, enum: [1, 2, 3] },
  { ...integer, minimum: 1, maximum: 3 },
  'N',
  'N',
)
both('null as a constant', { const: null }, { type: 'null' }, 'N', 'N')
both(
  'a property that is false is a missing one',
  { type: 'object', properties: { a: false } },
  { type: 'object', not: { required: ['a'] } },
  'N',
  'N',
)

// Numbers.
both('steps of decimals', { ...number, multipleOf: 0.1 }, { ...number, multipleOf: 0.01 }, 'N', 'B')
both('steps of decimals that are multiples', { ...number, multipleOf: 0.1 }, { ...number, multipleOf: 0.3 }, 'B', 'N')
both('integers by their step', { ...number, multipleOf: 1 }, integer, 'N', 'N')
both('an exclusive bound of integers', { ...integer, exclusiveMinimum: 0 }, { ...integer, minimum: 1 }, 'N', 'N')
both('an exclusive bound of numbers', { ...number, exclusiveMinimum: 0 }, { ...number, minimum: 1 }, 'B', 'N')
both('a bound that is no integer', { ...integer, minimum: 0.5 }, { ...integer, minimum: 1 }, 'N', 'N')
both('int32 and int64', { ...integer, format: 'int32' }, { ...integer, format: 'int64' }, 'N', 'B')
both(
  'a oneOf of numbers and integers has the numbers that are no integers',
  { oneOf: [integer, number] },
  number,
  'N',
  'B',
)

// Strings. The dot does not match a line break, so "a\n" fits the first pattern alone.
both('a dot is not every character', { ...text, pattern: '^a' }, { ...text, pattern: '^a.*$' }, 'B', 'N')
both('a class by two names', { ...text, pattern: '^[0-9]+$' }, { ...text, pattern: '^\\d+$' }, 'N', 'N')
both(
  'a pattern that says a length',
  { ...text, pattern: '^[a-z]{2,4}$' },
  { ...text, pattern: '^[a-z]+$', minLength: 2, maxLength: 4 },
  'N',
  'N',
)
both(
  'a date beside a pattern of a date',
  { ...text, format: 'date' },
  { ...text, format: 'date', pattern: '^\\d{4}-' },
  'N',
  'N',
)
both('a date is no time', { ...text, format: 'date' }, { ...text, format: 'date-time' }, 'B', 'B')
both('a format of readers', { ...text, format: 'password' }, text, 'N', 'N')
both('a length counts code points', { ...text, pattern: '^😀$' }, { ...text, pattern: '^😀$', maxLength: 1 }, 'N', 'N')

// Arrays.
const first = { type: 'array', prefixItems: [text], items: false }
both('a tuple of one', first, { type: 'array', items: text, maxItems: 1 }, 'N', 'N')
both('contains nothing', { ...list(text), contains: integer, minContains: 0 }, list(text), 'N', 'N')
both(
  'fewer items have to be contained',
  { type: 'array', contains: text, minContains: 2 },
  { type: 'array', contains: text },
  'N',
  'B',
)
both(
  'as many contained items as there are',
  { ...list(text), contains: text, minContains: 2 },
  { ...list(text), minItems: 2 },
  'N',
  'N',
)
both(
  'distinct items of one value',
  { ...list({ const: 1 }), uniqueItems: true },
  { ...list({ const: 1 }), maxItems: 1 },
  'N',
  'N',
)
both(
  'items of two kinds',
  { type: 'array', anyOf: [{ items: text }, { items: integer }] },
  list({ anyOf: [text, integer] }),
  'N',
  'B',
)
both('items without a schema', { type: 'array', items: {} }, { type: 'array' }, 'N', 'N')
both(
  'what contains evaluates is not left over',
  { type: 'array', prefixItems: [text], contains: integer, unevaluatedItems: false },
  { type: 'array', prefixItems: [text], items: integer, minItems: 1, contains: integer },
  'N',
  'N',
)

// Objects.
both(
  'names by a rule and by a list',
  { ...object({ a: text, b: text }), propertyNames: { enum: ['a', 'b'] } },
  closed({ a: text, b: text }),
  'N',
  'N',
)
both(
  'a dependency by two words',
  { type: 'object', dependentRequired: { a: ['b'] } },
  { type: 'object', anyOf: [{ not: { required: ['a'] } }, { required: ['b'] }] },
  'N',
  'N',
)
both(
  'a dependent schema that demands',
  { type: 'object', dependentSchemas: { a: { required: ['b'] } } },
  { type: 'object', dependentRequired: { a: ['b'] } },
  'N',
  'N',
)
const isA = { properties: { k: { const: 'a' } }, required: ['k'] }
both(
  'a condition as a choice',
  { type: 'object', if: isA, then: { required: ['x'] } },
  { type: 'object', anyOf: [{ not: isA }, { required: ['x'] }] },
  'N',
  'N',
)
both(
  'an else without a then',
  { type: 'object', if: isA, else: { required: ['x'] } },
  { type: 'object', anyOf: [isA, { required: ['x'] }] },
  'N',
  'N',
)
both(
  'a pattern of names and a name',
  { type: 'object', patternProperties: { '^a$': text } },
  object({ a: text }),
  'N',
  'N',
)
both(
  'a property that a pattern covers',
  { ...object({ ab: text }), patternProperties: { '^a': { maxLength: 3 } } },
  { ...object({ ab: { ...text, maxLength: 3 } }), patternProperties: { '^a': { maxLength: 3 } } },
  'N',
  'N',
)
both(
  'one of two is required, or both',
  { ...object({ a: text, b: text }), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  { ...closed({ a: text, b: text }), minProperties: 1 },
  'B',
  'N',
)

// Null, by version.
pair(
  'nullable beside an enum, and null in the list',
  request({ ...text, nullable: true, enum: ['a'] }, {}, '3.0.3'),
  request({ type: ['string', 'null'], enum: ['a', null] }),
  'N',
  'N',
)
pair(
  'boolean and numeric exclusive bounds',
  request({ ...integer, minimum: 0, exclusiveMinimum: true }, {}, '3.0.3'),
  request({ ...integer, exclusiveMinimum: 0 }),
  'N',
  'N',
)
both('nullable says nothing in 3.1', { ...text, nullable: true }, text, 'N', 'N')

// Choices.
pair('a branch within another one', response({ anyOf: [number] }), response({ anyOf: [number, integer] }), 'N', 'N')
pair(
  'a new kind of open object',
  response({ anyOf: [object({ a: text }, 'a')] }),
  response({ anyOf: [object({ a: text }, 'a'), object({ b: integer }, 'b')] }),
  'B',
  'N',
)
both(
  'anyOf of overlapping and oneOf',
  {
    anyOf: [
      { ...integer, minimum: 0 },
      { ...integer, maximum: 5 },
    ],
  },
  {
    oneOf: [
      { ...integer, minimum: 0 },
      { ...integer, maximum: 5 },
    ],
  },
  'B',
  'N',
)
both('a choice with everything', { anyOf: [text, {}] }, {}, 'N', 'N')

// Discriminators.
const pets = (cat: Json, discriminator: Fields = {}): Fields => ({
  Pet: { ...object({ kind: text }, 'kind'), discriminator: { propertyName: 'kind', ...discriminator } },
  Cat: { allOf: [ref('Pet'), cat] },
})
const meow = object({ meow: integer })
pair(
  'a child that nothing refers to is compared',
  request(ref('Pet'), pets(meow)),
  request(ref('Pet'), pets(object({ meow: integer }, 'meow'))),
  'B',
  'N',
)
pair(
  'a mapping of the name of a schema',
  request(ref('Pet'), pets(meow, { mapping: { Cat: '#/components/schemas/Cat' } })),
  request(ref('Pet'), pets(meow)),
  'N',
  'N',
)
pair(
  'a mapping by name and by reference',
  request(ref('Pet'), pets(meow, { mapping: { c: 'Cat' } })),
  request(ref('Pet'), pets(meow, { mapping: { c: '#/components/schemas/Cat' } })),
  'N',
  'N',
)
pair(
  'a mapping with another value',
  request(ref('Pet'), pets(meow, { mapping: { c: 'Cat' } })),
  request(ref('Pet'), pets(meow, { mapping: { k: 'Cat' } })),
  'B',
  'B',
)

// Parameters and headers as text.
pair('a query that takes text instead of numbers', query(integer), query(text), 'N', 'B')
pair(
  'listed numbers and their texts',
  query({ ...integer, enum: [1, 2] }),
  query({ ...text, enum: ['1', '2'] }),
  'N',
  'N',
)
pair('explode of a list', query(list(text), { explode: true }), query(list(text), { explode: false }), 'B', 'B')
pair('explode of a single value', query(text, { explode: true }), query(text, { explode: false }), 'N', 'N')
pair('style form written out', query(list(text)), query(list(text), { style: 'form', explode: true }), 'N', 'N')
pair(
  'deepObject and form',
  query(object({ a: text }), { style: 'deepObject', explode: true }),
  query(object({ a: text }), { style: 'form', explode: true }),
  'B',
  'B',
)
pair(
  'a list of at most one is a single value',
  query({ ...list(text), maxItems: 1, minItems: 1 }),
  query(text),
  'N',
  'N',
)
pair('reserved characters', query(text), query(text, { allowReserved: true }), 'N', 'B')
pair('reserved characters of numbers', query(integer), query(integer, { allowReserved: true }), 'N', 'N')
pair(
  'a default of an optional parameter',
  query({ ...integer, default: 1 }),
  query({ ...integer, default: 2 }),
  'B',
  'B',
)
pair(
  'a default of a required parameter',
  query({ ...integer, default: 1 }, { required: true }),
  query({ ...integer, default: 2 }, { required: true }),
  'N',
  'N',
)
pair(
  'a default in a body',
  request(object({ a: { ...text, default: 'x' } })),
  request(object({ a: { ...text, default: 'y' } })),
  'N',
  'N',
)
pair(
  'a header as an object',
  header(object({ a: text }), { explode: false }),
  header(object({ a: text }), { explode: true }),
  'B',
  'B',
)
pair('a header as a list', header(list(text), { explode: false }), header(list(text), { explode: true }), 'N', 'N')
pair('the case of a header', header(text), header(text, {}, 'x-a'), 'N', 'N')
pair('a header called Content-Type', header(text, {}, 'Content-Type'), header(integer, {}, 'content-type'), 'N', 'N')
pair('a header that is always sent', header(text, { required: true }), header(text), 'B', 'N')
const inPath = (name: string): Json => ({
  openapi: '3.1.1',
  info: { title: 'A', version: '1' },
  paths: {
    [`/a/{${name}}`]: {
      parameters: [{ name, in: 'path', required: true, schema: text }],
      get: { responses: { '200': ok } },
    },
  },
})
pair('the name of a path parameter', inPath('id'), inPath('petId'), 'N', 'N')
const cookie = (schema: Json): Json => operation({ parameters: [{ name: 'c', in: 'cookie', schema }] })
pair('a cookie', cookie({ ...text, maxLength: 3 }), cookie({ ...text, maxLength: 5 }), 'N', 'B')

// Statuses.
const error = answer(object({ code: text }, 'code'))
const other = answer(object({ code: integer }, 'code'))
pair(
  'a status out of its range',
  responses({ '200': ok, '4XX': error }),
  responses({ '200': ok, '404': error, '4XX': error }),
  'N',
  'N',
)
pair(
  'a status that differs from its range',
  responses({ '200': ok, '4XX': error }),
  responses({ '200': ok, '404': other, '4XX': error }),
  'B',
  'B',
)
pair(
  'a status out of default',
  responses({ '200': ok, default: error }),
  responses({ '200': ok, '500': error, default: error }),
  'N',
  'N',
)
pair('a range instead of a status', responses({ '200': ok }), responses({ '2XX': ok }), 'B', 'N')
// Where successful statuses are listed, default is what errors look like.
pair('default as the only answer', responses({ default: ok }), responses({ '200': ok, default: ok }), 'N', 'B')

// Addresses.
const at = (url: string | null, path = '/a'): Json => ({
  openapi: '3.1.1',
  info: { title: 'A', version: '1' },
  ...(url === null ? {} : { servers: [{ url }] }),
  paths: { [path]: { get: { responses: { '200': ok } } } },
})
pair('no server is the root', at(null), at('/'), 'N', 'N')
pair('a prefix moves into the path', at('https://a.example/v1', '/a'), at('https://a.example', '/v1/a'), 'N', 'N')
pair('a slash at the end of a server', at('https://a.example/v1'), at('https://a.example/v1/'), 'N', 'N')
pair('the case of a host, and the port', at('https://A.example:443/v1'), at('https://a.example/v1'), 'N', 'N')
pair('another path of a server', at('https://a.example/v1'), at('https://a.example/V1'), 'B', 'B')
const swagger: Json = {
  swagger: '2.0',
  info: { title: 'A', version: '1' },
  host: 'a.example',
  basePath: '/v1',
  schemes: ['https'],
  paths: { '/a': { get: { responses: { '200': { description: 'ok' } } } } },
}
pair('host and base path of Swagger', swagger, at('https://a.example/v1'), 'N', 'N')
pair('another base path', swagger, at('https://a.example/v2'), 'B', 'B')
const variable = (...values: string[]): Json => ({
  openapi: '3.1.1',
  info: { title: 'A', version: '1' },
  servers: [{ url: 'https://{r}.example', variables: { r: { default: 'a', enum: values } } }],
  paths: { '/a': { get: { responses: { '200': ok } } } },
})
pair('a value of a variable', variable('a'), variable('a', 'b'), 'N', 'B')
const shared = (more: Fields): Json => ({
  openapi: '3.1.1',
  info: { title: 'A', version: '1' },
  paths: { '/a': { $ref: '#/components/pathItems/A', ...more } },
  components: { pathItems: { A: { get: { responses: { '200': ok } } } } },
})
pair(
  'an operation beside the reference of a path item',
  shared({ put: { responses: { '200': ok } } }),
  shared({}),
  'B',
  'N',
)

// Media types and encodings.
const taking = (...types: string[]): Json =>
  operation({ requestBody: { required: true, content: Object.fromEntries(types.map((it) => [it, { schema: text }])) } })
const giving = (...types: string[]): Json =>
  responses({ '200': { ...ok, content: Object.fromEntries(types.map((it) => [it, { schema: text }])) } })
pair('a charset', taking('application/json'), taking('application/json; charset=utf-8'), 'N', 'N')
pair('the case of a media type', taking('Application/JSON'), taking('application/json'), 'N', 'N')
pair('a range of media types in a request', taking('application/json'), taking('application/*'), 'N', 'B')
pair('a range of media types in a response', giving('application/json'), giving('application/*'), 'B', 'N')
pair(
  'a parameter of a media type',
  giving('application/json;v=1', 'application/json;v=2'),
  giving('application/json;v=1'),
  'B',
  'N',
)
const form = (
  encoding: Fields,
  schema: Json = object({ a: { type: 'string' }, o: object({}), l: list(text) }),
  type = 'multipart/form-data',
): Json => operation({ requestBody: { required: true, content: { [type]: { schema, encoding } } } })
pair(
  'more content types of a part',
  form({ a: { contentType: 'image/png' } }),
  form({ a: { contentType: 'image/png, image/jpeg' } }),
  'N',
  'B',
)
pair('an encoding of no property', form({}), form({ z: { contentType: 'image/png' } }), 'N', 'N')
pair('the content type of an object written out', form({}), form({ o: { contentType: 'application/json' } }), 'N', 'N')
pair(
  'a list in a form',
  form({ l: { explode: true } }, undefined, 'application/x-www-form-urlencoded'),
  form({ l: { explode: false } }, undefined, 'application/x-www-form-urlencoded'),
  'B',
  'B',
)
pair(
  'style form in a form is the default',
  form({}, undefined, 'application/x-www-form-urlencoded'),
  form({ l: { style: 'form', explode: true } }, undefined, 'application/x-www-form-urlencoded'),
  'N',
  'N',
)

// Security, by what is sent.
const secured = (security: Json, schemes: Fields): Json =>
  operation({ security }, { components: { securitySchemes: schemes } })
const key = (name: string, where = 'header'): Fields => ({ type: 'apiKey', in: where, name })
pair('a scheme of another name', secured([{ a: [] }], { a: key('X') }), secured([{ b: [] }], { b: key('X') }), 'N', 'N')
pair('no security and an empty requirement', secured([], {}), secured([{}], {}), 'N', 'N')
pair(
  'both instead of one',
  secured([{ a: [] }], { a: key('X'), b: key('Y') }),
  secured([{ a: [], b: [] }], { a: key('X'), b: key('Y') }),
  'B',
  'N',
)
pair(
  'one of two instead of one',
  secured([{ a: [] }], { a: key('X'), b: key('Y') }),
  secured([{ a: [] }, { b: [] }], { a: key('X'), b: key('Y') }),
  'N',
  'B',
)
pair(
  'the case of a key in a header',
  secured([{ a: [] }], { a: key('X-Key') }),
  secured([{ a: [] }], { a: key('x-key') }),
  'N',
  'N',
)
pair(
  'the case of a key in a query',
  secured([{ a: [] }], { a: key('Key', 'query') }),
  secured([{ a: [] }], { a: key('key', 'query') }),
  'B',
  'B',
)
pair(
  'the case of a scheme of HTTP',
  secured([{ a: [] }], { a: { type: 'http', scheme: 'Bearer' } }),
  secured([{ a: [] }], { a: { type: 'http', scheme: 'bearer' } }),
  'N',
  'N',
)
pair(
  'a scheme that is not used',
  secured([{ a: [] }], { a: key('X') }),
  secured([{ a: [] }], { a: key('X'), b: key('Y') }),
  'N',
  'N',
)
const flow = (scopes: Fields): Fields => ({
  a: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://a.example/t', scopes } } },
})
pair(
  'a scope that is offered',
  secured([{ a: ['r'] }], flow({ r: '' })),
  secured([{ a: ['r'] }], flow({ r: '', w: '' })),
  'N',
  'N',
)
pair(
  'a scope that is required',
  secured([{ a: ['r'] }], flow({ r: '', w: '' })),
  secured([{ a: ['r', 'w'] }], flow({ r: '', w: '' })),
  'B',
  'N',
)

// Callbacks and webhooks.
const called = (name: string, url: string, schema: Json): Json =>
  operation({
    callbacks: {
      [name]: { [url]: { post: { requestBody: { required: true, ...content(schema) }, responses: { '200': ok } } } },
    },
  })
const address = '{$request.body#/url}'
pair('the key of a callback', called('a', address, text), called('b', address, text), 'N', 'N')
pair('the address of a callback', called('a', address, text), called('a', '{$request.query.url}', text), 'B', 'B')
pair(
  'what a callback sends',
  called('a', address, { ...text, maxLength: 5 }),
  called('a', address, { ...text, maxLength: 3 }),
  'N',
  'B',
)
const webhook = (schema: Json, reply: Json): Json => ({
  openapi: '3.1.1',
  info: { title: 'A', version: '1' },
  webhooks: {
    w: { post: { requestBody: { required: true, ...content(schema) }, responses: { '200': answer(reply) } } },
  },
})
pair('what a webhook sends', webhook({ enum: ['a'] }, text), webhook({ enum: ['a', 'b'] }, text), 'B', 'N')
pair('what answers a webhook', webhook(text, { enum: ['a'] }), webhook(text, { enum: ['a', 'b'] }), 'N', 'B')

// XML hints.
const named = (type: string, name: string): Json =>
  operation({ requestBody: { content: { [type]: { schema: object({ a: { ...text, xml: { name } } }) } } } })
pair('a name in XML of a body that is JSON', named('application/json', 'x'), named('application/json', 'y'), 'N', 'N')
pair('a name in XML', named('application/soap+xml', 'x'), named('application/soap+xml', 'y'), 'B', 'B')

// OpenAPI 3.2.
const stream = (itemSchema: Json): Json =>
  operation({ responses: { '200': { ...ok, content: { 'text/event-stream': { itemSchema } } } } }, {}, '3.2.0')
pair('an item of a stream', stream(object({ data: text }, 'data')), stream(object({ data: text })), 'B', 'N')
const querystring = (schema: Json): Json =>
  operation(
    { parameters: [{ name: 'q', in: 'querystring', content: { 'application/x-www-form-urlencoded': { schema } } }] },
    {},
    '3.2.0',
  )
pair('a whole query', querystring(object({ a: text })), querystring(object({ a: text }, 'a')), 'B', 'N')
const methods = (additionalOperations: Fields): Json => ({
  openapi: '3.2.0',
  info: { title: 'A', version: '1' },
  paths: { '/a': { get: { responses: { '200': ok } }, additionalOperations } },
})
pair('another method', methods({ COPY: { responses: { '200': ok } } }), methods({}), 'B', 'N')
pair(
  'the case of a method',
  methods({ COPY: { responses: { '200': ok } } }),
  methods({ copy: { responses: { '200': ok } } }),
  'B',
  'B',
)

testPairs('attacks', all)
