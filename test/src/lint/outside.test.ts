import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import { recommended } from '../../../src/lint/rulesets/recommended.ts'

const read = (source: string, value: unknown) => parseDocument(JSON.stringify(value), { source, syntax: 'json' })
const documentsOf = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).map(([source, value]) => [source, read(source, value)]))

const codes = new Set([
  'oas3-valid-schema-example',
  'oas3-valid-media-example',
  'oas2-valid-media-example',
  'json-schema-examples',
  'json-schema-default',
  'invalid-ref',
])

const findingsIn = (
  value: unknown,
  files: Readonly<Record<string, unknown>>,
  types: Readonly<Record<string, unknown>> = {},
) =>
  lint(read('api.json', value), recommended.ruleset, { documents: documentsOf(files), types: documentsOf(types) })
    .findings.filter(({ code }) => codes.has(code))
    .map(({ code, pointer, message, source }) => `${source} ${code} ${pointer} ${message}`)

const money = { type: 'object', required: ['amount'], properties: { amount: { $ref: 'svc:t/Amount' } } }
const types = { 'svc:t/Money': money, 'svc:t/Amount': { type: 'string', pattern: '^[0-9]+$' } }

const answering = (schema: unknown, examples: Readonly<Record<string, unknown>>, version = '3.1.0') => ({
  openapi: version,
  info: { title: 'A', version: '1' },
  paths: {
    '/a': {
      get: {
        responses: {
          '200': {
            description: 'ok',
            content: {
              'application/json': {
                schema,
                examples: Object.fromEntries(Object.entries(examples).map(([name, it]) => [name, { value: it }])),
              },
            },
          },
        },
      },
    },
  },
})
const place = '/paths/~1a/get/responses/200/content/application~1json/examples'

test.each(['3.0.3', '3.1.0'])(
  'examples of OpenAPI %s are checked against types, and the types that these refer to',
  (version) => {
    const examples = { right: { amount: '1' }, wrong: { amount: 1 }, deep: { amount: 'a' }, missing: {} }
    expect(findingsIn(answering({ $ref: 'svc:t/Money' }, examples, version), {}, types)).toEqual([
      `api.json oas3-valid-media-example ${place}/wrong/value/amount "amount" property type must be string`,
      `api.json oas3-valid-media-example ${place}/deep/value/amount "amount" property must match pattern "^[0-9]+$"`,
      `api.json oas3-valid-media-example ${place}/missing/value "value" property must have required property "amount"`,
    ])
  },
)

test('a type within a schema of the document, and what is not known, which says nothing', () => {
  const schema = { type: 'array', items: { allOf: [{ $ref: 'svc:t/Amount' }, { $ref: 'svc:t/None' }] } }
  expect(findingsIn(answering(schema, { right: ['1'], wrong: ['1', 'a'] }), {}, types)).toEqual([
    `api.json oas3-valid-media-example ${place}/wrong/value/1 Item at index 1 must match pattern "^[0-9]+$"`,
  ])
})

test('examples are checked against schemas of other files, which may refer back and to types', () => {
  const files = {
    'parts/pet.json': {
      Pet: {
        type: 'object',
        properties: {
          name: { $ref: '../api.json#/components/schemas/Name' },
          price: { $ref: 'svc:t/Money' },
          tag: { $ref: 'tag.json' },
        },
      },
    },
    'parts/tag.json': { enum: ['a', 'b'] },
  }
  const examples = {
    right: { name: 'x', tag: 'a' },
    name: { name: 'too long' },
    tag: { tag: 'c' },
    price: { price: {} },
  }
  const value = {
    ...answering({ $ref: 'parts/pet.json#/Pet' }, examples),
    components: { schemas: { Name: { type: 'string', maxLength: 3 } } },
  }
  expect(findingsIn(value, files, types)).toEqual([
    `api.json oas3-valid-media-example ${place}/name/value/name "name" property must not have more than 3 characters`,
    `api.json oas3-valid-media-example ${place}/tag/value/tag "tag" property must be equal to one of the allowed values: "a", "b". Did you mean "a"?`,
    `api.json oas3-valid-media-example ${place}/price/value/price "price" property must have required property "amount"`,
  ])
})

test('examples and defaults of a JSON Schema are checked against types and files', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    properties: {
      price: { $ref: 'svc:t/Money', examples: [{ amount: '1' }, { amount: 1 }] },
      tag: { $ref: 'tag.json', default: 'c' },
    },
  }
  expect(findingsIn(schema, { 'tag.json': { enum: ['a', 'b'] } }, types)).toEqual([
    'api.json json-schema-examples /properties/price/examples/1/amount "amount" property type must be string',
    'api.json json-schema-default /properties/tag/default "default" property must be equal to one of the allowed values: "a", "b". Did you mean "a"?',
  ])
})

test('properties that are read only are not required of examples in requests, in files of paths too', () => {
  const schema = {
    type: 'object',
    required: ['id', 'key', 'name'],
    properties: { id: { readOnly: true }, key: { writeOnly: true }, name: { type: 'string' } },
  }
  const content = (value: unknown) => ({ 'application/json': { schema, example: value } })
  const post = (request: unknown, response: unknown) => ({
    requestBody: { content: content(request) },
    responses: { 200: { description: 'ok', content: content(response) } },
  })
  const whole = { id: 1, key: 'k', name: 'n' }
  const { id: _, ...sent } = whole
  const { key: __, ...received } = whole
  const api = (item: unknown) => ({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: { '/a': item } })
  const item = { $ref: 'parts/a.json' }
  expect(findingsIn(api(item), { 'parts/a.json': { post: post(sent, received) } })).toEqual([])
  const [request, response] = ['/post/requestBody/content', '/post/responses/200/content']
  const example = 'application~1json/example "example" property must have required property'
  const wrong = [`${request}/${example} "key"`, `${response}/${example} "id"`]
  const said = (file: string, at: string) => wrong.map((it) => `${file} oas3-valid-media-example ${at}${it}`)
  expect(findingsIn(api(item), { 'parts/a.json': { post: post(received, sent) } })).toEqual(said('parts/a.json', ''))
  expect(findingsIn(api({ post: post(received, sent) }), {})).toEqual(said('api.json', '/paths/~1a'))
})
