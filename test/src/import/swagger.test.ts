import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { importDocument } from '../../../src/import/importer.ts'

const convert = (value: object) => {
  const { spec } = importDocument(parseDocument(JSON.stringify(value), { source: 'a.json' }), 'swagger')
  return { openapi: spec?.openapi, warnings: spec?.warnings.map(({ code, path }) => `${code} ${path.join('/')}`) }
}

const base = { swagger: '2.0', info: { title: 'A', version: '1' }, paths: {} }

test('servers', () => {
  const servers = (more: object) => convert({ ...base, ...more }).openapi?.servers
  expect(servers({})).toBeUndefined()
  expect(servers({ basePath: '/v1/' })).toEqual([{ url: '/v1' }])
  expect(servers({ host: 'a.example', basePath: '/' })).toEqual([{ url: '//a.example' }])
  expect(servers({ host: 'a.example:8080', basePath: '/v1', schemes: ['https', 'ws'] })).toEqual([
    { url: 'https://a.example:8080/v1' },
    { url: 'ws://a.example:8080/v1' },
  ])
})

test('parameters of every place and separator', () => {
  const { openapi, warnings } = convert({
    ...base,
    consumes: ['application/json', 'application/x-www-form-urlencoded'],
    produces: ['application/json', 'text/plain'],
    parameters: {
      limit: { name: 'limit', in: 'query', type: 'integer', minimum: 0, exclusiveMinimum: true },
      pet: { name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } },
      token: { name: 'token', in: 'formData', type: 'string', required: true },
    },
    paths: {
      '/a/{id}': {
        parameters: [
          { name: 'id', in: 'path', required: true, type: 'array', items: { type: 'string' } },
          { $ref: '#/parameters/token' },
        ],
        get: {
          parameters: [
            { $ref: '#/parameters/limit' },
            { name: 'csv', in: 'query', type: 'array', items: { type: 'string' } },
            {
              name: 'multi',
              in: 'query',
              type: 'array',
              items: { type: 'string' },
              collectionFormat: 'multi',
              allowEmptyValue: true,
            },
            { name: 'pipes', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: 'pipes' },
            {
              name: 'tsv',
              in: 'header',
              type: 'array',
              items: { type: 'string' },
              collectionFormat: 'tsv',
              'x-kept': 1,
            },
          ],
          responses: {
            200: {
              description: 'ok',
              schema: { type: 'file' },
              headers: { 'X-Rate': { type: 'integer', description: 'left' } },
              examples: { 'text/plain': 'hi', name: 1 },
            },
          },
        },
        post: { parameters: [{ $ref: '#/parameters/pet' }], responses: { default: { $ref: '#/responses/No' } } },
        put: {
          consumes: ['application/json'],
          parameters: [
            { name: 'file', in: 'formData', type: 'file', description: 'a file' },
            { name: 'tags', in: 'formData', type: 'array', items: { type: 'string' } },
          ],
          responses: { 204: { description: 'done' } },
        },
      },
    },
    responses: { No: { description: 'no' } },
    definitions: {
      Pet: {
        type: 'object',
        discriminator: 'kind',
        required: ['kind'],
        properties: { kind: { type: 'string', 'x-nullable': true, example: 'cat' } },
      },
    },
  })
  expect(openapi).toEqual({
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    paths: {
      '/a/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'array', items: { type: 'string' } } }],
        get: {
          parameters: [
            { $ref: '#/components/parameters/limit' },
            {
              name: 'csv',
              in: 'query',
              style: 'form',
              explode: false,
              schema: { type: 'array', items: { type: 'string' } },
            },
            {
              name: 'multi',
              in: 'query',
              allowEmptyValue: true,
              style: 'form',
              explode: true,
              schema: { type: 'array', items: { type: 'string' } },
            },
            {
              name: 'pipes',
              in: 'query',
              style: 'pipeDelimited',
              explode: false,
              schema: { type: 'array', items: { type: 'string' } },
            },
            { name: 'tsv', in: 'header', schema: { type: 'array', items: { type: 'string' } }, 'x-kept': 1 },
          ],
          requestBody: {
            required: true,
            content: {
              'application/x-www-form-urlencoded': {
                schema: { type: 'object', properties: { token: { type: 'string' } }, required: ['token'] },
              },
            },
          },
          responses: {
            200: {
              description: 'ok',
              headers: { 'X-Rate': { description: 'left', schema: { type: 'integer' } } },
              content: {
                'application/json': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } },
                'text/plain': {
                  schema: { type: 'string', contentMediaType: 'application/octet-stream' },
                  example: 'hi',
                },
              },
            },
          },
        },
        post: {
          requestBody: { $ref: '#/components/requestBodies/pet' },
          responses: { default: { $ref: '#/components/responses/No' } },
        },
        put: {
          requestBody: {
            required: true,
            content: {
              'multipart/form-data': {
                schema: {
                  type: 'object',
                  properties: {
                    token: { type: 'string' },
                    file: { description: 'a file', type: 'string', contentMediaType: 'application/octet-stream' },
                    tags: { type: 'array', items: { type: 'string' } },
                  },
                  required: ['token'],
                },
                encoding: { tags: { style: 'form', explode: false } },
              },
            },
          },
          responses: { 204: { description: 'done' } },
        },
      },
    },
    components: {
      schemas: {
        Pet: {
          type: 'object',
          discriminator: { propertyName: 'kind' },
          required: ['kind'],
          properties: { kind: { type: ['string', 'null'], examples: ['cat'] } },
        },
      },
      responses: { No: { description: 'no' } },
      parameters: { limit: { name: 'limit', in: 'query', schema: { type: 'integer', exclusiveMinimum: 0 } } },
      requestBodies: {
        pet: {
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Pet' } },
            'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/Pet' } },
          },
          'x-body-name': 'pet',
        },
      },
    },
  })
  expect(warnings).toEqual([
    'collection-format paths//a/{id}/get/parameters/4/collectionFormat',
    'example-type paths//a/{id}/get/responses/200/examples/name',
    'body-and-form paths//a/{id}/post/parameters/0',
    'form-type paths//a/{id}/parameters/1',
    'collection-format paths//a/{id}/put/parameters/1/collectionFormat',
  ])
})

test('security, names that OpenAPI 3 refuses, references into other parts', () => {
  const { openapi, warnings } = convert({
    ...base,
    security: [{ 'my key': [] }, { o: ['a'] }],
    securityDefinitions: {
      b: { type: 'basic' },
      'my key': { type: 'apiKey', name: 'k', in: 'header' },
      o: {
        type: 'oauth2',
        flow: 'accessCode',
        authorizationUrl: 'https://a',
        tokenUrl: 'https://b',
        scopes: { a: 'A', 'x-s': 1 },
      },
    },
    paths: {
      '/a': {
        get: {
          responses: {
            200: {
              description: '',
              schema: { type: 'object', properties: { a: { $ref: '#/definitions/List%5BA%5D/items' } } },
            },
            201: { description: '', schema: { $ref: '#/paths/~1a/get/responses/200/schema/properties/a' } },
          },
        },
      },
    },
    definitions: {
      'List[A]': { type: 'array', items: { type: 'string' } },
      List_A: {},
      B: { $ref: 'List_A', maxLength: 3, description: 'kept' },
    },
  })
  expect(openapi?.security).toEqual([{ my_key: [] }, { o: ['a'] }])
  expect(openapi?.components).toEqual({
    schemas: {
      List_A_2: { type: 'array', items: { type: 'string' } },
      List_A: {},
      B: { $ref: '#/components/schemas/List_A', description: 'kept' },
    },
    securitySchemes: {
      b: { type: 'http', scheme: 'basic' },
      my_key: { type: 'apiKey', name: 'k', in: 'header' },
      o: {
        type: 'oauth2',
        flows: {
          authorizationCode: { authorizationUrl: 'https://a', tokenUrl: 'https://b', scopes: { a: 'A' }, 'x-s': 1 },
        },
      },
    },
  })
  expect(JSON.stringify(openapi?.paths)).toContain('"#/components/schemas/List_A_2/items"')
  expect(JSON.stringify(openapi?.paths)).toContain('"#/paths/~1a/get/responses/200/content/*~1*/schema/properties/a"')
  expect(warnings).toEqual([
    'renamed definitions/List[A]',
    'renamed securityDefinitions/my key',
    'ref-siblings definitions/B',
  ])
})

test('an OAuth 2 scheme without scopes is imported as one without any, with a warning', () => {
  const scheme = { type: 'oauth2', flow: 'implicit', authorizationUrl: 'https://a.example/auth' }
  const value = { ...base, securityDefinitions: { a: scheme, b: { ...scheme, scopes: {} } } }
  const { spec } = importDocument(parseDocument(JSON.stringify(value), { source: 'a.json' }), 'swagger')
  expect(spec?.problems).toEqual([])
  expect(spec?.warnings.map(({ code, path }) => `${code} ${path.join('/')}`)).toEqual([
    'structure-scopes securityDefinitions/a',
  ])
  expect(spec?.openapi.components).toMatchObject({
    securitySchemes: { a: { flows: { implicit: { scopes: {} } } } },
  })
})
