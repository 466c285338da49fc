import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { findReferences } from '../../../src/document/reference.ts'
import { SvcError } from '../../../src/errors.ts'
import { assemble } from '../../../server/sources/assemble.ts'
import { findIndependent } from '../../../server/sources/discover.ts'
import { treeOfFiles } from '../../../server/sources/files.ts'
import { TreeReader } from '../../../server/sources/reader.ts'

type Files = Readonly<Record<string, string | object>>

const readerOf = (files: Files, boundary = ''): TreeReader =>
  new TreeReader(
    treeOfFiles(
      'it',
      Object.entries(files).map(([path, content]) => ({
        path,
        content: typeof content === 'string' ? content : JSON.stringify(content, null, 2),
      })),
    ),
    boundary,
  )

const bundle = async (files: Files, entry: string) => {
  const made = await assemble(readerOf(files), entry)
  const text = new TextDecoder().decode(made.bytes)
  return { ...made, text, value: JSON.parse(text) as JsonObject }
}

const api = (rest: object, version = '3.1.0') => ({ openapi: version, info: { title: 'T', version: '1' }, ...rest })
const ref = (to: string) => ({ $ref: to })
const json = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })

const shop: Files = {
  'api/openapi.yaml': `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /pets:
    $ref: '../paths/pets.yaml#/all'
  /pets/{id}:
    summary: one
    $ref: '../paths/pets.yaml#/one'
components:
  schemas:
    Animal: { $ref: ../schemas/pet.json }
`,
  'paths/pets.yaml': `all:
  get:
    operationId: listPets
    parameters: [{ $ref: '../common.yaml#/components/parameters/limit' }]
    responses:
      '200':
        description: ok
        content: { application/json: { schema: { type: array, items: { $ref: ../schemas/pet.json } } } }
      default: { $ref: '../common.yaml#/components/responses/Error' }
one:
  get: { operationId: getPet, responses: { default: { $ref: '../common.yaml#/components/responses/Error' } } }
`,
  'schemas/pet.json': {
    type: 'object',
    properties: { owner: ref('owner.yaml'), parent: ref('#'), kind: ref('#/definitions/kind') },
    definitions: { kind: { enum: ['cat', 'dog'] } },
  },
  'schemas/owner.yaml': `type: object
properties:
  pets: { type: array, items: { $ref: ./pet.json } }
  first: { $ref: ./pet.json, description: the first }
`,
  'common.yaml': api({
    components: {
      parameters: { limit: { name: 'limit', in: 'query', schema: { type: 'integer' } } },
      responses: { Error: json(ref('#/components/schemas/Error')) },
      schemas: { Error: { type: 'object' } },
    },
  }),
}

const pet = {
  type: 'object',
  properties: {
    owner: ref('#/components/schemas/owner'),
    parent: ref('#/components/schemas/Animal'),
    kind: ref('#/components/schemas/kind'),
  },
}

test('path items, parameters, responses and schemas of five files become one document', async () => {
  const { value, files } = await bundle(shop, 'api/openapi.yaml')
  expect(files).toBe(5)
  expect(value).toEqual(
    api({
      info: { title: 'Shop', version: '1.0.0' },
      paths: {
        '/pets': {
          get: {
            operationId: 'listPets',
            parameters: [ref('#/components/parameters/limit')],
            responses: {
              '200': json({ type: 'array', items: ref('#/components/schemas/Animal') }),
              default: ref('#/components/responses/Error'),
            },
          },
        },
        '/pets/{id}': {
          get: { operationId: 'getPet', responses: { default: ref('#/components/responses/Error') } },
          summary: 'one',
        },
      },
      components: {
        schemas: {
          Animal: pet,
          Error: { type: 'object' },
          kind: { enum: ['cat', 'dog'] },
          owner: {
            type: 'object',
            properties: {
              pets: { type: 'array', items: ref('#/components/schemas/Animal') },
              first: { ...ref('#/components/schemas/Animal'), description: 'the first' },
            },
          },
        },
        parameters: { limit: { name: 'limit', in: 'query', schema: { type: 'integer' } } },
        responses: { Error: json(ref('#/components/schemas/Error')) },
      },
    }),
  )
})

test('every node knows the file, line and column that it was written at', async () => {
  const { originOf } = await bundle(shop, 'api/openapi.yaml')
  const place = (...path: (string | number)[]) => {
    const origin = originOf?.(path)
    return `${origin?.document.source}:${(origin?.range.start.line ?? -1) + 1}:${(origin?.range.start.character ?? -1) + 1}`
  }
  expect([
    place('info', 'title'),
    place('paths', '/pets', 'get', 'operationId'),
    place('paths', '/pets/{id}', 'summary'),
    place('paths', '/pets/{id}', 'get', 'operationId'),
    place('components', 'schemas', 'Animal', 'type'),
    place('components', 'schemas', 'owner', 'properties', 'first', 'description'),
    place('components', 'schemas', 'kind', 'enum', 1),
    place('components', 'responses', 'Error', 'description'),
  ]).toEqual([
    'api/openapi.yaml:2:16',
    'paths/pets.yaml:3:18',
    'api/openapi.yaml:7:14',
    'paths/pets.yaml:11:23',
    'schemas/pet.json:2:11',
    'schemas/owner.yaml:4:43',
    'schemas/pet.json:18:9',
    'common.yaml:19:24',
  ])
})

test('names that two files use are distinguished by file, folder or number, the same in every order', async () => {
  const use = (to: string) => ({ get: { responses: { '200': json(ref(to)) } } })
  const files: Files = {
    'openapi.yaml': api({
      paths: {
        '/a': use('a/pet.yaml'),
        '/b': use('b/pet.yaml'),
        '/c': use('models.yaml#/pet'),
        '/d': use('User.yaml'),
        '/e': use('strange%20name!.yaml'),
      },
      components: { schemas: { User: { type: 'string' } } },
    }),
    'a/pet.yaml': { type: 'object', title: 'a' },
    'b/pet.yaml': { type: 'object', title: 'b' },
    'models.yaml': { pet: { type: 'object', title: 'c' } },
    'User.yaml': { title: 'd' },
    'strange name!.yaml': { title: 'e' },
  }
  const { value, text } = await bundle(files, 'openapi.yaml')
  const { schemas } = value.components as { schemas: Record<string, { title?: string }> }
  expect(Object.fromEntries(Object.entries(schemas).map(([name, { title }]) => [name, title]))).toEqual({
    User: undefined,
    User_2: 'd',
    a_pet: 'a',
    b_pet: 'b',
    models_pet: 'c',
    strange_name: 'e',
  })
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(Object.keys(files), { minLength: 6 }), async (order) => {
      const shuffled = Object.fromEntries(order.map((path) => [path, files[path] as object]))
      expect((await bundle(shuffled, 'openapi.yaml')).text).toBe(text)
    }),
    { numRuns: 20 },
  )
})

test('the documents name each other by $id and anchor', async () => {
  const files: Files = {
    'order.json': {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.com/schemas/order.json',
      type: 'object',
      properties: {
        customer: ref('customer.json'),
        address: ref('customer.json#address'),
        item: ref('https://example.com/things/item'),
      },
    },
    'customer.json': {
      $id: 'https://example.com/schemas/customer.json',
      type: 'object',
      properties: { home: ref('#address') },
      $defs: { address: { $anchor: 'address', type: 'string' } },
    },
    'deep/item.yaml': { $id: 'https://example.com/things/item', type: 'number' },
  }
  const { value } = await bundle(files, 'order.json')
  expect(value).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://example.com/schemas/order.json',
    type: 'object',
    properties: {
      customer: ref('#/$defs/customer'),
      address: ref('#/$defs/address'),
      item: ref('#/$defs/item'),
    },
    $defs: {
      address: { type: 'string' },
      customer: { type: 'object', properties: { home: ref('#/$defs/address') } },
      item: { type: 'number' },
    },
  })
})

test('a path item that holds itself, and a reference to the document from outside', async () => {
  const { value } = await bundle(
    {
      'openapi.yaml': api({
        paths: { '/a': ref('item.yaml') },
        components: { schemas: { Pet: { type: 'object' } } },
      }),
      'item.yaml': {
        post: {
          requestBody: { content: { 'application/json': { schema: ref('openapi.yaml#/components/schemas/Pet') } } },
          callbacks: { done: { '{$url}': ref('item.yaml') } },
        },
      },
    },
    'openapi.yaml',
  )
  expect((value.paths as JsonObject)['/a']).toEqual({
    post: {
      requestBody: { content: { 'application/json': { schema: ref('#/components/schemas/Pet') } } },
      callbacks: { done: { '{$url}': ref('#/paths/~1a') } },
    },
  })
})

test('a discriminator refers to files as well', async () => {
  const { value } = await bundle(
    {
      'openapi.yaml': api({ components: { schemas: { Pet: ref('pet.yaml') } } }),
      'pet.yaml': {
        oneOf: [ref('cat.yaml')],
        discriminator: { propertyName: 'kind', mapping: { cat: './cat.yaml', dog: 'Dog' } },
      },
      'cat.yaml': { type: 'object' },
    },
    'openapi.yaml',
  )
  expect(value.components).toEqual({
    schemas: {
      Pet: {
        oneOf: [ref('#/components/schemas/cat')],
        discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/cat', dog: 'Dog' } },
      },
      cat: { type: 'object' },
    },
  })
})

test('other formats: definitions of Swagger, inputs of Arazzo', async () => {
  const swagger = await bundle(
    {
      'swagger.json': {
        swagger: '2.0',
        info: { title: 'T', version: '1' },
        paths: { '/a': { get: { responses: { '200': { description: 'ok', schema: ref('pet.yaml') } } } } },
      },
      'pet.yaml': 'type: object\n',
    },
    'swagger.json',
  )
  expect(swagger.value.definitions).toEqual({ pet: { type: 'object' } })
  const arazzo = await bundle(
    {
      'arazzo.yaml': {
        arazzo: '1.0.1',
        info: { title: 'T', version: '1' },
        sourceDescriptions: [{ name: 'a', url: './openapi.yaml', type: 'openapi' }],
        workflows: [{ workflowId: 'w', inputs: ref('in.json'), steps: [{ stepId: 's', operationId: 'o' }] }],
      },
      'in.json': { type: 'object' },
    },
    'arazzo.yaml',
  )
  expect(arazzo.value.components).toEqual({ inputs: { in: { type: 'object' } } })
})

test('a document without references to files keeps its bytes', async () => {
  const text = '# mine\nopenapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: {}\n'
  const made = await assemble(readerOf({ 'a.yaml': text, 'b.yaml': 'x: 1\n' }), 'a.yaml')
  expect([new TextDecoder().decode(made.bytes), made.files, made.originOf]).toEqual([text, 1, undefined])
})

test('a reference to a file that is not there stays', async () => {
  const { value } = await bundle(
    {
      'a.yaml': api({ components: { schemas: { A: ref('b.yaml'), B: ref('gone.yaml') } } }),
      'b.yaml': ref('gone.json'),
    },
    'a.yaml',
  )
  expect(findReferences(value as Json).map((one) => one.ref)).toEqual(['gone.json', 'gone.yaml'])
})

test('references that lead out of the root are refused, with their place', async () => {
  const codes: Record<string, unknown> = {}
  for (const to of [
    '../up.yaml',
    '/etc/passwd',
    'file:///etc/passwd',
    '%2e%2e/up.yaml',
    '..\\up.yaml',
    '//host/x.yaml',
    'a/../../up.yaml',
  ]) {
    const files = { 'a.yaml': api({ components: { schemas: { A: ref(to) } } }), 'b.yaml': 'x: 1\n' }
    codes[to] = await assemble(readerOf(files), 'a.yaml').then(
      () => 'read',
      (error: unknown) => (error instanceof SvcError ? error.message.replace(/^.* at /, '') : error),
    )
  }
  const refused = 'a.yaml:10:17 points outside the root folder.'
  expect(new Set(Object.values(codes))).toEqual(new Set([refused]))
  const inner = { 'api/a.yaml': api({ components: { schemas: { A: ref('../b.yaml') } } }), 'b.yaml': 'x: 1\n' }
  const error = await assemble(readerOf(inner, 'api'), 'api/a.yaml').catch((it: unknown) => it)
  expect((error as SvcError).code).toBe('reference-outside-root')
})

test('the independent documents of a tree', async () => {
  const schema = (rest: object = {}) => ({ type: 'object', properties: {}, ...rest })
  const found = await findIndependent(
    readerOf({
      'package.json': { name: 'x', version: '1' },
      'node_modules/x/openapi.yaml': api({ paths: {} }),
      'a/openapi.yaml': api({ components: { schemas: { P: ref('../schemas/pet.yaml') } } }),
      // Refers back to its document: still a part of it.
      'schemas/pet.yaml': schema({ items: ref('../a/openapi.yaml#/components/schemas/P') }),
      'schemas/lonely.yaml': schema({ items: ref('./pet.yaml') }),
      'schemas/x.json': schema({ items: ref('y.json') }),
      'schemas/y.json': schema({ items: ref('x.json') }),
      'common.yaml': api({ components: { schemas: { E: {} } } }),
      'b/openapi.json': api({ components: { schemas: { E: ref('../common.yaml#/components/schemas/E') } } }),
      'notes.yaml': 'properties: 3\n',
    }),
    '',
    'auto',
  )
  expect(found).toEqual([
    { path: 'a/openapi.yaml', format: 'openapi' },
    { path: 'b/openapi.json', format: 'openapi' },
    { path: 'schemas/lonely.yaml', format: 'json-schema' },
    { path: 'schemas/x.json', format: 'json-schema' },
  ])
})
