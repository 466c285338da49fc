import { expect, test } from 'bun:test'
import { serverAddresses } from '../../../server/analysis/server-addresses.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { importDocument } from '../../../src/import/importer.ts'
import {
  isMethod,
  methods,
  methodsByUse,
  methodsOf,
  openapi30Methods,
  operationsIn,
} from '../../../src/kernel/methods.ts'
import { lint } from '../../../src/lint/lint.ts'
import { recommended } from '../../../src/lint/rulesets/recommended.ts'
import { readReference } from '../../../src/render/reference/model.ts'
import { Reach, operationPart, schemaPart } from '../../../src/render/reach.ts'
import { countDocument } from '../../../src/stats/stats.ts'

test('the methods of a document are those of its version', () => {
  expect(methodsOf({ openapi: '3.0.3' })).toBe(openapi30Methods)
  expect(methodsOf({ openapi: '3.1.1' })).toBe(openapi30Methods)
  expect(methodsOf({ swagger: '2.0' })).toBe(openapi30Methods)
  expect(methodsOf({ openapi: '3.2.0' })).toBe(methods)
  expect(methodsOf({ openapi: '3.10.0' })).toBe(methods)
  expect(methods.filter((it) => !isMethod(it))).toEqual([])
  expect(['GET', 'parameters', 'additionalOperations', undefined].some(isMethod)).toBe(false)
  expect(methodsByUse.toSorted()).toEqual(methods.toSorted())
})

test('the operations of a path item are in the order of the methods, with those that have no field behind them', () => {
  const item = { post: {}, get: {}, query: {}, put: 1, parameters: [], additionalOperations: { COPY: {}, LINK: 1 } }
  const keysOf = (...asked: [order?: readonly string[], withMore?: boolean]) =>
    Array.from(operationsIn(item, ...asked), ({ method, steps }) => [method, steps.join('/')])
  expect(keysOf()).toEqual([
    ['GET', 'get'],
    ['POST', 'post'],
    ['QUERY', 'query'],
    ['COPY', 'additionalOperations/COPY'],
  ])
  expect(keysOf(openapi30Methods)).toEqual([
    ['GET', 'get'],
    ['POST', 'post'],
  ])
})

const later = (version: string) =>
  parseDocument(
    `openapi: ${version}
info: { title: T, version: 1.0.0, description: D, contact: { name: N } }
servers: [{ url: https://example.test }]
security: []
paths:
  /pets/{id}:
    get:
      operationId: getPet
      tags: [a]
      responses: { '200': { description: fine } }
    query:
      operationId: getPet
      tags: [b]
      servers: [{ url: https://query.test }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses: { '200': { description: fine } }
    additionalOperations:
      COPY:
        operationId: getPet
        tags: [c]
        responses: { '500': { description: never } }
components: { schemas: { Pet: { type: string } } }
`,
    { source: 'api.yaml' },
  )

test('every rule about operations sees those of later methods, in documents of OpenAPI 3.2 alone', () => {
  const about = (code: string, version: string) =>
    lint(later(version), recommended.ruleset)
      .findings.filter((it) => it.code === code)
      .map(({ pointer }) => pointer.slice('/paths/~1pets~1{id}'.length))
  for (const rule of ['operation-summary', 'operation-description']) {
    expect(about(rule, '3.2.0')).toEqual(['/get', '/query', '/additionalOperations/COPY'])
    expect(about(rule, '3.1.0')).toEqual(['/get'])
  }
  expect(about('operation-operationId-unique', '3.2.0')).toEqual([
    '/query/operationId',
    '/additionalOperations/COPY/operationId',
  ])
  expect(about('operation-tag-defined', '3.2.0')).toEqual([
    '/get/tags/0',
    '/query/tags/0',
    '/additionalOperations/COPY/tags/0',
  ])
  expect(about('path-params', '3.2.0')).toEqual(['/get', '/query', '/additionalOperations/COPY'])
  expect(about('operation-success-response', '3.2.0')).toEqual(['/additionalOperations/COPY/responses'])
})

test('they are imported, counted and in the documentation', () => {
  const document = later('3.2.0')
  const { spec } = importDocument(document, 'auto')
  expect(spec?.operations.map(({ ref, pointer }) => [ref, pointer])).toEqual([
    ['GET /pets/{id}', '/paths/~1pets~1{id}/get'],
    ['QUERY /pets/{id}', '/paths/~1pets~1{id}/query'],
    ['COPY /pets/{id}', '/paths/~1pets~1{id}/additionalOperations/COPY'],
  ])
  expect(countDocument(document).api?.methods).toEqual({ get: 1, query: 1, COPY: 1 })
  const openapi = spec?.openapi ?? {}
  expect(openapi.openapi).toBe('3.1.0')
  const { groups } = readReference(openapi)
  expect(groups.flatMap(({ operations }) => operations.map(({ method }) => method))).toEqual(['GET', 'QUERY', 'COPY'])
  expect(serverAddresses(openapi)).toEqual(['https://example.test', 'https://query.test'])
  expect(new Reach(openapi).to(schemaPart('Pet'))).toContain(operationPart('paths', '/pets/{id}', 'query'))
})
