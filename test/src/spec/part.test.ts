import { expect, test } from 'bun:test'
import type { Json } from '../../../src/kernel/json.ts'
import { overviewOf } from '../../../src/spec/overview.ts'
import { definitionAt, gatherPart, operationAt } from '../../../src/spec/part.ts'

const document: Json = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1', description: 'About pets.' },
  servers: [{ url: 'https://pets.test/v1' }],
  security: [{ key: [] }],
  tags: [{ name: 'pets', description: 'Animals' }, { noName: true }],
  paths: {
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', schema: { type: 'string' } }, { $ref: '#/components/parameters/Trace' }],
      get: {
        operationId: 'getPet',
        parameters: [{ name: 'trace', in: 'header', required: true }],
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } } },
      },
      delete: { security: [], responses: {} },
    },
  },
  components: {
    parameters: { Trace: { name: 'trace', in: 'header' } },
    schemas: {
      Pet: {
        properties: { owner: { $ref: '#/components/schemas/Owner' }, gone: { $ref: '#/components/schemas/Gone' } },
      },
      Owner: { properties: { pets: { items: { $ref: '#/components/schemas/Pet' } }, note: { type: 'string' } } },
    },
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      login: { type: 'oauth2', flows: { implicit: {} } },
    },
  },
}

test('an operation carries the parameters of its path and the security of the document', () => {
  expect(operationAt(document, ['paths', '/pets/{id}', 'get'])).toMatchObject({
    parameters: [
      { name: 'id', in: 'path' },
      { name: 'trace', in: 'header', required: true },
    ],
    security: [{ key: [] }],
  })
  expect(operationAt(document, ['paths', '/pets/{id}', 'delete'])?.security).toEqual([])
  expect(operationAt(document, ['paths', '/none', 'get'])).toBeNull()
})

test('what a definition refers to comes nearest first, once, up to the limit', () => {
  const path = ['paths', '/pets/{id}', 'get']
  const value = operationAt(document, path) ?? {}
  const all = gatherPart(document, '/p', value, 10_000)
  expect([Object.keys(all.referenced), all.omitted]).toEqual([
    ['#/components/schemas/Pet', '#/components/schemas/Owner'],
    [],
  ])
  const few = gatherPart(document, '/p', value, 120)
  expect([Object.keys(few.referenced), few.omitted]).toEqual([
    ['#/components/schemas/Pet'],
    ['#/components/schemas/Owner'],
  ])
  const none = gatherPart(document, '/p', value, 0)
  expect(none.omitted).toEqual(['#/components/schemas/Pet'])
  // All that belongs to it is counted, wherever the limit is.
  expect([all.total, few.total, none.total]).toEqual([3, 3, 3])
})

test('a schema is found by its name or by the text of a reference', () => {
  expect(definitionAt(document, 'Owner')?.pointer).toBe('/components/schemas/Owner')
  expect(definitionAt(document, '#/components/parameters/Trace')?.value).toEqual({ name: 'trace', in: 'header' })
  expect(definitionAt({ definitions: { A: true } }, 'A')).toEqual({ pointer: '/definitions/A', value: true })
  expect(definitionAt(document, 'Nobody')).toBeNull()
  expect(definitionAt(document, '#/~2')).toBeNull()
})

test('the overview is what the document says of itself', () => {
  expect(overviewOf(document)).toEqual({
    title: 'Pets',
    description: 'About pets.',
    servers: ['https://pets.test/v1'],
    security: ['key: apiKey in header X-Key', 'login: oauth2 implicit'],
    tags: [{ name: 'pets', description: 'Animals' }],
    schemaNames: ['Pet', 'Owner'],
  })
  expect(overviewOf({ swagger: '2.0', host: 'old.test', basePath: '/v2', schemes: ['http'] }).servers).toEqual([
    'http://old.test/v2',
  ])
  expect(overviewOf(null)).toEqual({
    title: null,
    description: null,
    servers: [],
    security: [],
    tags: [],
    schemaNames: [],
  })
})
