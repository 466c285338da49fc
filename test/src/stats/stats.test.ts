import { expect, test } from 'bun:test'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { countDocument } from '../../../src/stats/stats.ts'

const count = (value: Json) => countDocument(parseDocument(JSON.stringify(value), { source: 'a.json' }))

test('an API: operations, what they say, and what nothing uses', () => {
  const ok = {
    200: { description: 'ok', content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } },
  }
  const { characters, ...stats } = count({
    openapi: '3.2.0',
    info: { title: 'A', version: '1', 'x-owner': 'me' },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    tags: [{ name: 'a' }, { name: 'idle' }],
    paths: {
      'x-none': {},
      '/a': {
        parameters: [
          { name: 'p', in: 'query', schema: true },
          { name: 'q', in: 'query', description: 'Q', schema: true },
        ],
        get: {
          tags: ['a', 'b'],
          operationId: 'getA',
          summary: 'Get',
          description: 'Gets',
          responses: ok,
          parameters: [{ name: 'p', in: 'query', description: 'P', schema: true }],
        },
        query: { security: [], deprecated: true, responses: { 200: { $ref: '#/components/responses/Ok' } } },
        additionalOperations: { COPY: { security: [{ key: [] }, {}], responses: {} } },
      },
      '/b': { $ref: '#/paths/~1a' },
    },
    webhooks: { w: { post: { requestBody: { content: { 'text/plain': { example: 'x' } } }, responses: {} } } },
    components: {
      schemas: {
        A: { description: 'A', properties: { b: { $ref: '#/components/schemas/B' }, c: { type: 'string' } } },
        B: { items: { $ref: '#/components/schemas/A' }, discriminator: { propertyName: 'k', mapping: { d: 'D' } } },
        C: { items: { $ref: '#/components/schemas/A' } },
        D: { examples: [1] },
        E: { $ref: '#/components/schemas/C' },
      },
      responses: {
        Ok: { description: 'ok', content: { 'text/plain': { schema: { $ref: '#/components/schemas/D' } } } },
      },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X' } },
    },
  })
  expect(stats).toEqual({
    format: { kind: 'openapi', version: '3.2' },
    depth: 9,
    references: { total: 8, distinct: 6, unresolved: 0, longest: 3 },
    schemas: { named: 5, total: 5, described: { count: 1, of: 5 }, propertiesDescribed: { count: 1, of: 2 } },
    components: { schemas: 5, responses: 1, securitySchemes: 1 },
    unused: ['/components/schemas/C', '/components/schemas/E'],
    externalDocs: 0,
    extensions: { 'x-owner': 1 },
    workflows: null,
    api: {
      paths: 2,
      operations: 6,
      methods: { get: 2, query: 2, COPY: 2 },
      deprecatedOperations: 2,
      webhooks: 1,
      parameters: 2,
      tags: { declared: 2, used: 2, undeclared: ['b'], unused: ['idle'] },
      servers: 1,
      securitySchemes: 1,
      coverage: {
        operationIds: { count: 2, of: 7 },
        summaries: { count: 2, of: 7 },
        descriptions: { count: 2, of: 7 },
        parameterDescriptions: { count: 8, of: 12 },
        examples: { count: 3, of: 5 },
        secured: { count: 2, of: 6 },
      },
    },
  })
  expect(characters).toBeGreaterThan(1000)
})

test('Swagger 2.0: bodies and definitions', () => {
  const { api, unused, components } = count({
    swagger: '2.0',
    info: { title: 'A', version: '1' },
    host: 'example.com',
    paths: {
      '/a': {
        post: {
          parameters: [{ name: 'body', in: 'body', schema: { $ref: '#/definitions/A' } }],
          responses: {
            200: { description: 'ok', schema: {}, examples: { 'application/json': 1 } },
            204: { description: 'none' },
          },
        },
      },
    },
    definitions: { A: { example: 1 }, B: {} },
  })
  expect([api?.coverage.examples, api?.servers, unused, components]).toEqual([
    { count: 2, of: 2 },
    1,
    ['/definitions/B'],
    { definitions: 2 },
  ])
})

test('definitions of a library, workflows, and documents of no known format', () => {
  const library = count({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: { A: { $ref: '#/$defs/B' }, B: {} },
  })
  expect([library.unused, library.references, library.schemas.total]).toEqual([
    [],
    { total: 1, distinct: 1, unresolved: 0, longest: 2 },
    2,
  ])
  const arazzo = count({ arazzo: '1.0.1', info: {}, workflows: [{ steps: [{}, {}] }, {}] })
  expect([arazzo.workflows, arazzo.api]).toEqual([{ workflows: 2, steps: 2 }, null])
  expect(count(['a', { b: 1 }]).depth).toBe(2)
})
