/**
 * Longer than 400 lines: tables. Pairs across versions of OpenAPI, dialects and places of a description, by someone who looks for what
 * the comparison gets wrong: each with its answer forward and backward.
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

// Swagger 2.0 and OpenAPI 3.
const swagger = (fields: Fields, rest: Fields = {}): Json => ({
  swagger: '2.0',
  info: { title: 'A', version: '1' },
  paths: { '/a': { post: { responses: { '200': ok }, ...fields } } },
  ...rest,
})
const old = (schema: Json): Json =>
  swagger({ parameters: [{ in: 'body', name: 'body', required: true, schema }], consumes: ['application/json'] })
pair('a body of Swagger', old(object({ a: text }, 'a')), request(object({ a: text }, 'a')), 'N', 'N')
pair('a narrower body', old(object({ a: text })), request(object({ a: text }, 'a')), 'B', 'N')
const oldQuery = (fields: Fields): Json => swagger({ parameters: [{ in: 'query', name: 'q', ...fields }] })
const query = (fields: Fields, openapi = '3.1.1'): Json =>
  operation({ parameters: [{ in: 'query', name: 'q', ...fields }] }, {}, openapi)
const strings = { type: 'array', items: text }
pair('csv is form without explode', oldQuery({ ...strings }), query({ schema: strings, explode: false }), 'N', 'N')
pair('csv is not exploded', oldQuery({ ...strings }), query({ schema: strings }), 'B', 'B')
pair('multi is exploded', oldQuery({ ...strings, collectionFormat: 'multi' }), query({ schema: strings }), 'N', 'N')
pair(
  'pipes',
  oldQuery({ ...strings, collectionFormat: 'pipes' }),
  query({ schema: strings, style: 'pipeDelimited', explode: false }),
  'N',
  'N',
)
pair(
  'ssv',
  oldQuery({ ...strings, collectionFormat: 'ssv' }),
  query({ schema: strings, style: 'spaceDelimited', explode: false }),
  'N',
  'N',
)
pair(
  'a file and a binary text',
  swagger({
    consumes: ['multipart/form-data'],
    parameters: [{ in: 'formData', name: 'f', type: 'file', required: true }],
  }),
  operation(
    {
      requestBody: {
        required: true,
        content: { 'multipart/form-data': { schema: object({ f: { type: 'string', format: 'binary' } }, 'f') } },
      },
    },
    {},
    '3.0.3',
  ),
  'N',
  'N',
)
pair(
  'produces for all operations',
  swagger({ responses: { '200': { ...ok, schema: text } } }, { produces: ['application/json'] }),
  operation({ responses: { '200': answer(text) } }),
  'N',
  'N',
)
pair(
  'basic authentication',
  swagger({ security: [{ b: [] }] }, { securityDefinitions: { b: { type: 'basic' } } }),
  operation({ security: [{ h: [] }] }, { components: { securitySchemes: { h: { type: 'http', scheme: 'basic' } } } }),
  'N',
  'N',
)
pair(
  'a flow of OAuth',
  swagger(
    { security: [{ o: ['r'] }] },
    {
      securityDefinitions: {
        o: { type: 'oauth2', flow: 'application', tokenUrl: 'https://a.example/t', scopes: { r: '' } },
      },
    },
  ),
  operation(
    { security: [{ o: ['r'] }] },
    {
      components: {
        securitySchemes: {
          o: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://a.example/t', scopes: { r: '' } } } },
        },
      },
    },
  ),
  'N',
  'N',
)

// OpenAPI 3.0 and 3.1.
pair(
  'a nullable reference',
  request({ nullable: true, allOf: [ref('A')] }, { A: object({}) }, '3.0.3'),
  request({ anyOf: [ref('A'), { type: 'null' }] }, { A: object({}) }),
  'N',
  'N',
)
pair('nullable forgotten', response({ ...text, nullable: true }, {}, '3.0.3'), response(text), 'N', 'B')
pair('nullable forgotten in a request', request({ ...text, nullable: true }, {}, '3.0.3'), request(text), 'B', 'N')
pair(
  'base64',
  request({ ...text, format: 'byte' }, {}, '3.0.3'),
  request({ ...text, contentEncoding: 'base64' }),
  'N',
  'N',
)
pair('3.1 and 3.2', request(object({ a: text })), request(object({ a: text }), {}, '3.2.0'), 'N', 'N')

// Other dialects within 3.1.
const seven = { $schema: 'http://json-schema.org/draft-07/schema#' }
both(
  'a tuple of draft 7',
  { ...seven, type: 'array', items: [text], additionalItems: false },
  { type: 'array', prefixItems: [text], items: false },
  'N',
  'N',
)
both(
  'dependencies of draft 7',
  { ...seven, type: 'object', dependencies: { a: ['b'] } },
  { type: 'object', dependentRequired: { a: ['b'] } },
  'N',
  'N',
)

// Annotations.
both(
  'examples and titles',
  { ...text, examples: ['a'], title: 'A' },
  { ...text, examples: ['b'], title: 'B', description: 'x' },
  'N',
  'N',
)

// What is beside the rest of a schema.
both(
  'additional properties that are nothing',
  { ...object({ a: text }), additionalProperties: { not: {} } },
  { ...object({ a: text }), additionalProperties: false },
  'N',
  'N',
)
both(
  'additional properties that are everything',
  { ...object({ a: text }), additionalProperties: {} },
  object({ a: text }),
  'N',
  'N',
)
both('a wrapped reference', { allOf: [ref('A')] }, ref('A'), 'N', 'N', '3.0.3', { A: object({ a: text }, 'a') })
both('an empty list of parts is no part', { ...text, allOf: [{}] }, text, 'N', 'N')
both(
  'required of both parts',
  { allOf: [object({ a: text }, 'a'), object({ b: text }, 'b')] },
  object({ a: text, b: text }, 'a', 'b'),
  'N',
  'N',
)
both('De Morgan', { not: { anyOf: [text, integer] } }, { allOf: [{ not: text }, { not: integer }] }, 'N', 'N')
both('a type that is excluded', { type: ['string', 'integer'], not: text }, integer, 'N', 'N')
both('an enum narrowed by a type', { ...integer, enum: [1, 'a', 2] }, { enum: [1, 2] }, 'N', 'N')
both('an enum narrowed by a bound', { enum: [1, 5, 9], maximum: 5 }, { enum: [1, 5] }, 'N', 'N')
both(
  'a list of objects in another order of keys',
  list({ properties: { a: text, b: text }, type: 'object' }),
  list(object({ b: text, a: text })),
  'N',
  'N',
)
const node = (depth: number): Json => (depth === 0 ? ref('N') : object({ next: node(depth - 1), v: integer }))
both('an unrolled list', ref('N'), node(2), 'N', 'N', '3.1.1', { N: object({ next: ref('N'), v: integer }) })
pair(
  'two schemas that refer to each other',
  request(ref('A'), { A: object({ b: ref('B') }), B: object({ a: ref('A'), v: text }) }),
  request(ref('A'), { A: object({ b: ref('B') }), B: object({ a: ref('A'), v: { ...text, maxLength: 1 } }) }),
  'B',
  'N',
)
both(
  'a maximum beyond a format',
  { ...integer, format: 'int32', maximum: 5_000_000_000 },
  { ...integer, format: 'int32' },
  'N',
  'N',
)
both(
  'minItems over a tuple',
  { type: 'array', prefixItems: [text, integer], items: false, minItems: 2 },
  { type: 'array', prefixItems: [text, integer], minItems: 2, maxItems: 2 },
  'N',
  'N',
)
both(
  'distinct items of an enum',
  { ...list({ enum: [1, 2] }), uniqueItems: true },
  { ...list({ enum: [1, 2] }), uniqueItems: true, maxItems: 2 },
  'N',
  'N',
)
both(
  'at most one of a kind',
  { type: 'array', contains: text, minContains: 0, maxContains: 1 },
  { type: 'array', contains: text, minContains: 0, maxContains: 2 },
  'N',
  'B',
)
both('no item of a kind', { type: 'array', not: { contains: text } }, { type: 'array', items: { not: text } }, 'N', 'N')
both(
  'a name that is not allowed',
  { type: 'object', propertyNames: { not: { const: 'a' } } },
  { type: 'object', properties: { a: false } },
  'N',
  'N',
)
both(
  'two required names of one',
  { ...object({ a: text, b: text }), minProperties: 2, maxProperties: 2, additionalProperties: false },
  { ...object({ a: text, b: text }, 'a', 'b'), additionalProperties: false },
  'N',
  'N',
)
both(
  'exactly one of two names',
  { ...object({ a: text, b: text }), oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  { ...object({ a: text, b: text }), anyOf: [{ required: ['a'] }, { required: ['b'] }], not: { required: ['a', 'b'] } },
  'N',
  'N',
)
both('a condition that always holds', { if: {}, then: text }, text, 'N', 'N')
both('a condition without a branch', { ...text, if: { maxLength: 3 } }, text, 'N', 'N')
both('a then without an if', { ...text, then: { maxLength: 3 } }, text, 'N', 'N')
both(
  'unevaluated properties after a condition',
  {
    type: 'object',
    properties: { k: text },
    if: { properties: { k: { const: 'a' } }, required: ['k'] },
    then: { properties: { x: text } },
    unevaluatedProperties: false,
  },
  { type: 'object', properties: { k: text, x: text }, additionalProperties: false },
  'N',
  'B',
)

// Parameters of a path and of an operation.
const inItem = (item: Fields, own: Fields): Json => ({
  openapi: '3.1.1',
  info: { title: 'A', version: '1' },
  paths: { '/a': { ...item, get: { responses: { '200': ok }, ...own } } },
})
const q = (schema: Json, more: Fields = {}): Fields => ({ name: 'q', in: 'query', schema, ...more })
pair(
  'a parameter moves to the path',
  inItem({}, { parameters: [q(text)] }),
  inItem({ parameters: [q(text)] }, {}),
  'N',
  'N',
)
pair(
  'a parameter of the path that the operation replaces',
  inItem({ parameters: [q(integer)] }, { parameters: [q(text)] }),
  inItem({}, { parameters: [q(text)] }),
  'N',
  'N',
)
pair(
  'names of queries have a case',
  query({ schema: text }),
  operation({ parameters: [{ in: 'query', name: 'Q', schema: text }] }),
  'B',
  'B',
)
pair(
  'headers that OpenAPI ignores',
  operation({ parameters: [{ in: 'header', name: 'Accept', required: true, schema: text }] }),
  operation({}),
  'N',
  'N',
)
pair(
  'a parameter as content',
  query({ content: { 'application/json': { schema: object({ a: text }) } } }),
  query({ content: { 'application/json': { schema: object({ a: text }, 'a') } } }),
  'B',
  'N',
)
pair(
  'a parameter with an empty value',
  query({ schema: text, allowEmptyValue: true }),
  query({ schema: text }),
  'B',
  'N',
)
pair('a matrix', inItem({}, {}), inItem({}, {}), 'N', 'N')
const path = (style: string): Json => ({
  openapi: '3.1.1',
  info: { title: 'A', version: '1' },
  paths: {
    '/a/{v}': {
      get: { parameters: [{ name: 'v', in: 'path', required: true, style, schema: text }], responses: { '200': ok } },
    },
  },
})
pair('the style of a path', path('simple'), path('label'), 'B', 'B')
pair(
  'a required parameter with one value',
  query({ schema: { const: 'a' }, required: true }),
  query({ schema: { enum: ['a', 'b'] }, required: true }),
  'N',
  'B',
)

// Bodies and responses.
const bodied = (requestBody: Fields): Json => operation({ requestBody })
pair(
  'required: false is the default of a body',
  bodied({ ...content(text), required: false }),
  bodied(content(text)),
  'N',
  'N',
)
pair('a body that becomes required', bodied(content(text)), bodied({ ...content(text), required: true }), 'B', 'N')
pair('a new optional body', operation({}), bodied(content(text)), 'N', 'B')
pair(
  'a body elsewhere',
  operation(
    { requestBody: { $ref: '#/components/requestBodies/R' } },
    { components: { requestBodies: { R: content(text) } } },
  ),
  bodied(content(text)),
  'N',
  'N',
)
pair(
  'the content of a response',
  operation({ responses: { '200': answer(text) } }),
  operation({ responses: { '200': ok } }),
  'B',
  'N',
)
pair('a success elsewhere', operation({ responses: { '200': ok } }), operation({ responses: { '201': ok } }), 'B', 'B')
pair(
  'a response elsewhere',
  operation(
    { responses: { '200': { $ref: '#/components/responses/R' } } },
    { components: { responses: { R: answer(text) } } },
  ),
  operation({ responses: { '200': answer(text) } }),
  'N',
  'N',
)
const linked = (links: Fields): Json => operation({ responses: { '200': { ...ok, links } } })
pair(
  'a link',
  linked({ l: { operationId: 'x', description: 'a' } }),
  linked({ l: { operationId: 'x', description: 'b' } }),
  'N',
  'N',
)
pair(
  'a number that becomes an integer',
  response(object({ a: number }, 'a')),
  response(object({ a: integer }, 'a')),
  'N',
  'B',
)

// Security in several places.
const schemes = {
  components: {
    securitySchemes: { k: { type: 'apiKey', in: 'header', name: 'K' }, j: { type: 'apiKey', in: 'header', name: 'J' } },
  },
}
pair(
  'security of the document and of the operation',
  operation({}, { ...schemes, security: [{ k: [] }] }),
  operation({ security: [{ k: [] }] }, schemes),
  'N',
  'N',
)
pair(
  'an operation without security',
  operation({ security: [] }, { ...schemes, security: [{ k: [] }] }),
  operation({}, { ...schemes, security: [{ k: [] }] }),
  'B',
  'N',
)
pair(
  'security that may be left out',
  operation({ security: [{ k: [] }, {}] }, schemes),
  operation({ security: [{}] }, schemes),
  'N',
  'N',
)
pair(
  'the order of alternatives',
  operation({ security: [{ k: [] }, { j: [] }] }, schemes),
  operation({ security: [{ j: [] }, { k: [] }] }, schemes),
  'N',
  'N',
)

// Servers in several places.
const served = (root: Json, own: Json): Json => ({
  openapi: '3.1.1',
  info: { title: 'A', version: '1' },
  ...(root === null ? {} : { servers: root }),
  paths: { '/a': { get: { responses: { '200': ok }, ...(own === null ? {} : { servers: own }) } } },
})
pair(
  'servers of the operation',
  served([{ url: 'https://a.example' }], null),
  served(null, [{ url: 'https://a.example' }]),
  'N',
  'N',
)
pair(
  'servers of the operation are others',
  served([{ url: 'https://a.example' }], null),
  served([{ url: 'https://a.example' }], [{ url: 'https://b.example' }]),
  'B',
  'B',
)
pair('an empty list of servers', served([], null), served(null, null), 'N', 'N')
pair(
  'a server more',
  served([{ url: 'https://a.example' }], null),
  served([{ url: 'https://a.example' }, { url: 'https://b.example' }], null),
  'N',
  'B',
)

// Paths.
const paths = (...templates: string[]): Json => ({
  openapi: '3.1.1',
  info: { title: 'A', version: '1' },
  paths: Object.fromEntries(
    templates.map((template) => [
      template,
      {
        get: {
          parameters: [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
            name: name!,
            in: 'path',
            required: true,
            schema: text,
          })),
          responses: { '200': ok },
        },
      },
    ]),
  ),
})
pair('two parameters change their names', paths('/{a}/{b}'), paths('/{b}/{a}'), 'N', 'N')
pair('a path beside a template', paths('/a/{id}', '/a/me'), paths('/a/{id}'), 'N', 'N')
pair('a slash at the end', paths('/a'), paths('/a/'), 'B', 'B')

// Discriminators.
const kinds = (discriminator: Json, more: Fields = {}): Json =>
  response(
    { oneOf: [ref('Cat'), ref('Dog')], ...(discriminator === null ? {} : { discriminator }) },
    {
      Cat: object({ kind: text, meow: integer }, 'kind', 'meow'),
      Dog: object({ kind: text, bark: integer }, 'kind', 'bark'),
      ...more,
    },
  )
pair('the property of a discriminator', kinds({ propertyName: 'kind' }), kinds({ propertyName: 'type' }), 'B', 'B')
pair('a discriminator that says what is there', kinds(null), kinds({ propertyName: 'kind' }), 'N', 'N')
pair(
  'values change places',
  kinds({ propertyName: 'kind', mapping: { a: 'Cat', b: 'Dog' } }),
  kinds({ propertyName: 'kind', mapping: { a: 'Dog', b: 'Cat' } }),
  'B',
  'B',
)
pair(
  'a mapping by a whole reference',
  kinds({ propertyName: 'kind', mapping: { a: '#/components/schemas/Cat' } }),
  kinds({ propertyName: 'kind', mapping: { a: 'Cat' } }),
  'N',
  'N',
)

// OpenAPI 3.2.
const stream = (fields: Fields): Json =>
  operation({ responses: { '200': { ...ok, content: { 'application/jsonl': fields } } } }, {}, '3.2.0')
pair(
  'an item of a stream',
  stream({ itemSchema: object({ a: integer }, 'a') }),
  stream({ itemSchema: object({ a: number }, 'a') }),
  'B',
  'N',
)
pair(
  'a default of a mapping',
  request(
    { oneOf: [ref('Cat')], discriminator: { propertyName: 'k', defaultMapping: 'Cat' } },
    { Cat: object({ k: text }) },
    '3.2.0',
  ),
  request({ oneOf: [ref('Cat')], discriminator: { propertyName: 'k' } }, { Cat: object({ k: text }) }, '3.2.0'),
  'B',
  'N',
)
pair(
  'a shared media type',
  operation(
    { responses: { '200': { ...ok, content: { 'application/json': { $ref: '#/components/mediaTypes/J' } } } } },
    { components: { mediaTypes: { J: { schema: text } } } },
    '3.2.0',
  ),
  operation({ responses: { '200': answer(text) } }, {}, '3.2.0'),
  'N',
  'N',
)
pair(
  'the QUERY method',
  { openapi: '3.2.0', info: { title: 'A', version: '1' }, paths: { '/a': { query: { responses: { '200': ok } } } } },
  {
    openapi: '3.2.0',
    info: { title: 'A', version: '1' },
    paths: { '/a': { additionalOperations: { QUERY: { responses: { '200': ok } } } } },
  },
  'N',
  'N',
)

testPairs('attacks across versions and places', all)
