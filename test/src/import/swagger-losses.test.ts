/**
 * Swagger 2.0 to OpenAPI 3.1: what is carried over, and how, and that nothing else gets lost without a word.
 * Longer than 400 lines: one table of cases, whose completeness is seen only as a whole.
 */
import { describe, expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { getPointer } from '../../../src/kernel/pointer.ts'
import { importDocument } from '../../../src/import/importer.ts'

const read = (value: object) => {
  const whole = { swagger: '2.0', info: { title: 'A', version: '1' }, paths: {}, ...value }
  const { spec } = importDocument(parseDocument(JSON.stringify(whole), { source: 'a.json' }), 'swagger')
  return spec ?? expect.unreachable()
}

const operation = (more: object) => ({
  paths: { '/a': { post: { responses: { 200: { description: '' } }, ...more } } },
})
const parameter = (more: object, rest: object = {}) => operation({ parameters: [{ name: 'p', ...more }], ...rest })
const list = { type: 'array', items: { type: 'string' } }

/** The text, the place in the converted document, the value there, and the codes of the warnings. */
type Case = readonly [
  says: string,
  given: object,
  at: string,
  expected: object | string | number | boolean | undefined,
  codes: string,
]

const firstParameter = '/paths/~1a/post/parameters/0'
const form = '/paths/~1a/post/requestBody/content/application~1x-www-form-urlencoded'
const multipart = '/paths/~1a/post/requestBody/content/multipart~1form-data'
const answer = '/paths/~1a/post/responses/200'

const cases: readonly Case[] = [
  [
    'host, base path, scheme',
    { host: 'a.example', basePath: '/v1', schemes: ['https'] },
    '/servers/0/url',
    'https://a.example/v1',
    '',
  ],
  ['no scheme: that of the document', { host: 'a.example' }, '/servers/0/url', '//a.example', ''],
  ['a base path alone', { basePath: '/v1' }, '/servers/0/url', '/v1', ''],
  [
    'a scheme without a host',
    { basePath: '/v1', schemes: ['https'] },
    '/servers',
    [{ url: '/v1' }],
    'schemes-without-host',
  ],
  [
    'a scheme of an operation without a host',
    operation({ schemes: ['wss'] }),
    '/paths/~1a/post/servers',
    undefined,
    'schemes-without-host',
  ],
  [
    'schemes of an operation',
    { host: 'a.example', ...operation({ schemes: ['wss'] }) },
    '/paths/~1a/post/servers',
    [{ url: 'wss://a.example' }],
    '',
  ],

  [
    'csv in a query',
    parameter({ in: 'query', ...list }),
    firstParameter,
    { name: 'p', in: 'query', style: 'form', explode: false, schema: list },
    '',
  ],
  [
    'ssv in a query',
    parameter({ in: 'query', ...list, collectionFormat: 'ssv' }),
    `${firstParameter}/style`,
    'spaceDelimited',
    '',
  ],
  [
    'pipes in a query',
    parameter({ in: 'query', ...list, collectionFormat: 'pipes' }),
    `${firstParameter}/style`,
    'pipeDelimited',
    '',
  ],
  [
    'multi in a query',
    parameter({ in: 'query', ...list, collectionFormat: 'multi' }),
    `${firstParameter}/explode`,
    true,
    '',
  ],
  [
    'tsv in a query',
    parameter({ in: 'query', ...list, collectionFormat: 'tsv' }),
    `${firstParameter}/style`,
    'form',
    'collection-format',
  ],
  [
    'pipes in a header',
    parameter({ in: 'header', ...list, collectionFormat: 'pipes' }),
    `${firstParameter}/style`,
    undefined,
    'collection-format',
  ],
  [
    'lists within lists',
    parameter({ in: 'query', type: 'array', items: { ...list, collectionFormat: 'ssv' } }),
    `${firstParameter}/schema/items`,
    list,
    'collection-format',
  ],
  [
    'an empty value in a query',
    parameter({ in: 'query', type: 'string', allowEmptyValue: true }),
    `${firstParameter}/allowEmptyValue`,
    true,
    '',
  ],
  [
    'an empty value in a form',
    parameter({ in: 'formData', type: 'string', allowEmptyValue: true }),
    `${form}/schema/properties/p`,
    { type: 'string' },
    'allow-empty-value',
  ],
  [
    'bounds of a parameter',
    parameter({ in: 'query', type: 'integer', minimum: 0, exclusiveMinimum: true, multipleOf: 2 }),
    `${firstParameter}/schema`,
    { type: 'integer', exclusiveMinimum: 0, multipleOf: 2 },
    '',
  ],
  [
    'a nullable parameter',
    parameter({ in: 'query', type: 'string', 'x-nullable': true }),
    `${firstParameter}/schema/type`,
    ['string', 'null'],
    '',
  ],
  [
    'an example of a parameter',
    parameter({ in: 'query', type: 'string', 'x-example': 'e' }),
    `${firstParameter}/example`,
    'e',
    '',
  ],
  [
    'an extension of a parameter',
    parameter({ in: 'query', type: 'string', 'x-mine': 1 }),
    `${firstParameter}/x-mine`,
    1,
    '',
  ],

  [
    'a form field',
    parameter({ in: 'formData', type: 'string', required: true }),
    form,
    { schema: { type: 'object', properties: { p: { type: 'string' } }, required: ['p'] } },
    '',
  ],
  [
    'csv in a form',
    parameter({ in: 'formData', ...list }),
    `${form}/encoding`,
    { p: { style: 'form', explode: false } },
    '',
  ],
  [
    'a file in a form',
    parameter({ in: 'formData', type: 'file' }, { consumes: ['multipart/form-data'] }),
    `${multipart}/schema/properties/p`,
    { type: 'string', contentMediaType: 'application/octet-stream' },
    '',
  ],
  [
    'a list in a multipart form',
    parameter({ in: 'formData', ...list }, { consumes: ['multipart/form-data'] }),
    `${multipart}/schema/properties/p`,
    list,
    'collection-format',
  ],
  [
    'a list sent as parts',
    parameter({ in: 'formData', ...list, collectionFormat: 'multi' }, { consumes: ['multipart/form-data'] }),
    `${multipart}/schema/properties/p`,
    list,
    '',
  ],
  [
    'a form of a type that is none',
    parameter({ in: 'formData', type: 'string' }, { consumes: ['application/json'] }),
    form,
    { schema: { type: 'object', properties: { p: { type: 'string' } } } },
    'form-type',
  ],
  [
    'a shared form field',
    {
      parameters: { f: { name: 'f', in: 'formData', type: 'string' } },
      ...operation({ parameters: [{ $ref: '#/parameters/f' }] }),
    },
    `${form}/schema/properties/f`,
    { type: 'string' },
    '',
  ],
  [
    'a shared form field nobody uses',
    { parameters: { f: { name: 'f', in: 'formData', type: 'string' } } },
    '/components',
    undefined,
    'form-field-unused',
  ],
  [
    'form fields beside a body',
    operation({
      parameters: [
        { name: 'b', in: 'body', schema: {} },
        { name: 'f', in: 'formData', type: 'string' },
      ],
    }),
    '/paths/~1a/post/requestBody',
    { content: { 'application/json': { schema: {} } }, 'x-body-name': 'b' },
    'body-and-form',
  ],

  [
    'a body in each type that is consumed',
    parameter({ in: 'body', schema: { type: 'object' } }, { consumes: ['text/xml', 'application/json'] }),
    '/paths/~1a/post/requestBody/content',
    { 'text/xml': { schema: { type: 'object' } }, 'application/json': { schema: { type: 'object' } } },
    '',
  ],
  ['the name of a body', parameter({ in: 'body', schema: {} }), '/paths/~1a/post/requestBody/x-body-name', 'p', ''],
  [
    'consumes of the document',
    { consumes: ['text/xml'], ...parameter({ in: 'body', schema: {} }) },
    '/paths/~1a/post/requestBody/content',
    { 'text/xml': { schema: {} } },
    '',
  ],

  [
    'produces of the document',
    { produces: ['text/xml'], ...operation({ responses: { 200: { description: '', schema: { type: 'string' } } } }) },
    `${answer}/content`,
    { 'text/xml': { schema: { type: 'string' } } },
    '',
  ],
  [
    'produces of the operation',
    {
      produces: ['text/xml'],
      ...operation({ produces: ['text/csv'], responses: { 200: { description: '', schema: { type: 'string' } } } }),
    },
    `${answer}/content`,
    { 'text/csv': { schema: { type: 'string' } } },
    '',
  ],
  [
    'an answer of any type',
    operation({ responses: { 200: { description: '', schema: { type: 'string' } } } }),
    `${answer}/content`,
    { '*/*': { schema: { type: 'string' } } },
    '',
  ],
  [
    'a file as an answer',
    operation({ produces: ['image/png'], responses: { 200: { description: '', schema: { type: 'file' } } } }),
    `${answer}/content`,
    { 'image/png': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } },
    '',
  ],
  [
    'an example of an answer',
    operation({ responses: { 200: { description: '', examples: { 'text/plain': 'x' } } } }),
    `${answer}/content`,
    { 'text/plain': { example: 'x' } },
    '',
  ],
  [
    'an example of no type',
    operation({ responses: { 200: { description: '', examples: { good: 'x' } } } }),
    `${answer}/content`,
    undefined,
    'example-type',
  ],
  [
    'a header',
    operation({ responses: { 200: { description: '', headers: { 'X-A': { type: 'integer', description: 'n' } } } } }),
    `${answer}/headers/X-A`,
    { description: 'n', schema: { type: 'integer' } },
    '',
  ],
  [
    'a list in a header',
    operation({ responses: { 200: { description: '', headers: { 'X-A': { ...list, collectionFormat: 'tsv' } } } } }),
    `${answer}/headers/X-A/schema`,
    list,
    'collection-format',
  ],

  [
    'basic',
    { securityDefinitions: { b: { type: 'basic', description: 'd' } } },
    '/components/securitySchemes/b',
    { type: 'http', scheme: 'basic', description: 'd' },
    '',
  ],
  [
    'a key',
    { securityDefinitions: { k: { type: 'apiKey', name: 'k', in: 'query' } } },
    '/components/securitySchemes/k',
    { type: 'apiKey', name: 'k', in: 'query' },
    '',
  ],
  [
    'the flow "application"',
    {
      securityDefinitions: {
        o: { type: 'oauth2', flow: 'application', tokenUrl: 'https://t', scopes: { a: 'A', 'x-s': 'y' } },
      },
    },
    '/components/securitySchemes/o',
    { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://t', scopes: { a: 'A' }, 'x-s': 'y' } } },
    '',
  ],
  [
    'an alternative of two schemes',
    { securityDefinitions: { a: { type: 'basic' }, b: { type: 'basic' } }, security: [{ a: [], b: [] }, {}] },
    '/security',
    [{ a: [], b: [] }, {}],
    '',
  ],

  [
    'a discriminator',
    {
      definitions: {
        Pet: { type: 'object', discriminator: 'kind', required: ['kind'], properties: { kind: { type: 'string' } } },
      },
    },
    '/components/schemas/Pet/discriminator',
    { propertyName: 'kind' },
    '',
  ],
  [
    'a discriminator whose values were names that had to change',
    {
      definitions: {
        Pet: { type: 'object', discriminator: 'kind', required: ['kind'], properties: { kind: { type: 'string' } } },
        'A cat': { allOf: [{ $ref: '#/definitions/Pet' }] },
      },
    },
    '/components/schemas/Pet/discriminator/mapping',
    { Pet: '#/components/schemas/Pet', 'A cat': '#/components/schemas/A_cat' },
    'renamed',
  ],
  [
    'a nullable property',
    {
      definitions: {
        A: { type: 'object', properties: { p: { type: 'string', 'x-nullable': true, enum: ['a', null] } } },
      },
    },
    '/components/schemas/A/properties/p',
    { type: ['string', 'null'], enum: ['a', null] },
    '',
  ],
  [
    'a nullable reference',
    {
      definitions: {
        A: { type: 'object', properties: { p: { allOf: [{ $ref: '#/definitions/B' }], 'x-nullable': true } } },
        B: { type: 'object' },
      },
    },
    '/components/schemas/A/properties/p',
    { anyOf: [{ allOf: [{ $ref: '#/components/schemas/B' }] }, { type: 'null' }] },
    'nullable-without-type',
  ],
  [
    'read only, xml, external documentation',
    {
      definitions: {
        A: {
          type: 'object',
          properties: { p: { type: 'string', readOnly: true, xml: { attribute: true } } },
          externalDocs: { url: 'https://a' },
        },
      },
    },
    '/components/schemas/A',
    {
      type: 'object',
      properties: { p: { type: 'string', readOnly: true, xml: { attribute: true } } },
      externalDocs: { url: 'https://a' },
    },
    '',
  ],
  [
    'tags, documentation and extensions of the root',
    { tags: [{ name: 't' }], externalDocs: { url: 'https://a' }, 'x-root': 1 },
    '/x-root',
    1,
    '',
  ],
  [
    'what stands beside a reference',
    { definitions: { A: { $ref: '#/definitions/B', maxLength: 1 }, B: { type: 'string' } } },
    '/components/schemas/A',
    { $ref: '#/components/schemas/B' },
    'ref-siblings',
  ],
]

describe('Swagger 2.0 in the words of OpenAPI 3.1', () => {
  for (const [says, given, at, expected, codes] of cases)
    test(says, () => {
      const spec = read(given)
      expect(spec.problems.map(({ message }) => message)).toEqual([])
      expect(getPointer(spec.openapi, at) as unknown).toEqual(expected)
      expect(spec.warnings.map(({ code }) => code).join(' ')).toBe(codes)
      // Each warning points at something in the author's own document.
      for (const warning of spec.warnings) expect(warning.path.length).toBeGreaterThan(0)
    })
})
