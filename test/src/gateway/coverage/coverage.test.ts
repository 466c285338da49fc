/** What was called of a document, and what a document lacks: the comparison, and the patch that adds it. */
import { expect, test } from 'bun:test'
import { applyPatch } from '../../../../src/patch/json-patch.ts'
import { additionsTo, namedPath } from '../../../../src/gateway/coverage/additions.ts'
import { coverageOf, type Seen } from '../../../../src/gateway/coverage/coverage.ts'

const declared = (method: string, path: string) => ({ method, path, operationId: null, deprecated: false })
const seen = (method: string, seen: Partial<Seen>): Seen => ({
  method,
  route: null,
  pathShape: null,
  count: 1,
  firstAt: '2026-05-01T00:00:00.000Z',
  lastAt: '2026-05-02T00:00:00.000Z',
  ...seen,
})
const document = [
  declared('GET', '/pets'),
  declared('GET', '/pets/{petId}'),
  declared('DELETE', '/pets/{petId}'),
  declared('GET', '/files/{name}.json'),
]
const brief = (found: ReturnType<typeof coverageOf>) => ({
  operations: found.operations.map(({ method, path, count }) => `${method} ${path} ${count}`),
  undeclared: found.undeclared.map(({ method, path, kind, count }) => `${method} ${path} ${kind} ${count}`),
  otherCalls: found.otherCalls,
})

test('calls are found by template or by shape; the rest is not declared', () => {
  const found = coverageOf(
    document,
    [
      seen('GET', { route: '/pets', count: 5, lastAt: '2026-05-09T00:00:00.000Z' }),
      seen('HEAD', { route: '/pets', count: 2, firstAt: '2026-04-01T00:00:00.000Z' }),
      seen('GET', { pathShape: '/pets/{id}', count: 3 }),
      seen('GET', { pathShape: '/files/{id}' }),
      seen('POST', { pathShape: '/pets/{id}', count: 2 }),
      seen('OPTIONS', { pathShape: '/pets/{id}' }),
      seen('GET', { pathShape: '/toys/{id}', count: 9 }),
      seen('GET', { pathShape: '/toys/{id}/', count: 1 }),
      // A template of an older document.
      seen('GET', { route: '/cats/{catId}' }),
      seen('GET', { pathShape: '(other)', count: 7 }),
    ],
    { prefixes: [], other: '(other)' },
  )
  expect(brief(found)).toEqual({
    operations: ['GET /pets 7', 'GET /pets/{petId} 3', 'DELETE /pets/{petId} 0', 'GET /files/{name}.json 1'],
    undeclared: ['GET /toys/{id} path 10', 'POST /pets/{id} method 2', 'GET /cats/{id} path 1'],
    otherCalls: 7,
  })
  expect(found.operations[0]).toMatchObject({
    firstAt: '2026-04-01T00:00:00.000Z',
    lastAt: '2026-05-09T00:00:00.000Z',
  })
  expect(found.operations[2]).toMatchObject({ firstAt: null, lastAt: null })
})

test('what paths at the gateway begin with is taken off; what does not begin so is outside', () => {
  const calls = ['/api/pets', '/api', '/apis/pets', '/api/v2/pets', '/'].map((pathShape) => seen('GET', { pathShape }))
  expect(brief(coverageOf(document, calls, { prefixes: ['/api', '/api/v2'], other: '' }))).toEqual({
    operations: ['GET /pets 2', 'GET /pets/{petId} 0', 'DELETE /pets/{petId} 0', 'GET /files/{name}.json 0'],
    undeclared: ['GET / path 1', 'GET / outside 1', 'GET /apis/pets outside 1'],
    otherCalls: 0,
  })
})

test('calls are found below the servers of each operation, with variables of any text and those of paths and operations', () => {
  const at = (method: string, path: string, prefixes: string[]) => ({ ...declared(method, path), prefixes })
  const served = [
    at('GET', '/pets', ['/v1', '/v2.1']),
    at('GET', '/pets/{petId}', ['/v1', '/v2.1']),
    at('GET', '/status', ['']),
    at('GET', '/files/{name}', ['/{*}/store']),
  ]
  const calls = (paths: string[]) => paths.map((pathShape) => seen('GET', { pathShape }))
  const paths = ['/v1/pets', '/{id}/pets/{id}', '/pets', '/status', '/v1/status', '/eu/store/files/{id}', '/a/b/store/files/{id}', '/store/files/{id}', '/v1/toys', '/toys'] // prettier-ignore
  const found = coverageOf(served, calls(paths), { prefixes: [], other: '' })
  expect(brief(found)).toEqual({
    operations: ['GET /pets 1', 'GET /pets/{petId} 1', 'GET /status 1', 'GET /files/{name} 2'],
    undeclared: ['GET /toys path 2', 'GET /pets outside 1', 'GET /store/files/{id} path 1', 'GET /v1/status outside 1'],
    otherCalls: 0,
  })
  expect(found.prefixes).toEqual(['/v1', '/v2.1', '/*/store'])
  // A gateway that takes the prefix off: no call is below it.
  const inner = coverageOf(served.slice(0, 2), calls(['/pets', '/toys']), { prefixes: [], other: '' })
  expect([brief(inner), inner.prefixes]).toEqual([
    { operations: ['GET /pets 1', 'GET /pets/{petId} 0'], undeclared: ['GET /toys path 1'], otherCalls: 0 },
    [],
  ])
  // What is not below a server is outside, where no operation has the root.
  const outside = coverageOf(served.slice(0, 2), calls(['/v1/pets', '/health']), { prefixes: [], other: '' })
  expect(brief(outside).undeclared).toEqual(['GET /health outside 1'])
})

test('parameters get names, each its own', () => {
  expect(
    [
      '/pets/{id}',
      '/pets/{id}/toys/{id}',
      '/{id}/{id}',
      '/categories/{id}',
      '/user-groups/{id}/address/{id}',
      '/pets',
    ].map(namedPath),
  ).toEqual([
    '/pets/{petId}',
    '/pets/{petId}/toys/{toyId}',
    '/{id}/{id2}',
    '/categories/{categoryId}',
    '/user-groups/{userGroupId}/address/{addressId}',
    '/pets',
  ])
})

test('a patch adds what is missing, below the path that the document has, and claims nothing else', () => {
  const before = {
    openapi: '3.1.0',
    paths: {
      '/pets/{petId}': {
        parameters: [{ name: 'petId', in: 'path', required: true, schema: {} }],
        get: { responses: {} },
      },
    },
  }
  const additions = [
    { method: 'DELETE', path: '/pets/{id}', description: 'Seen.' },
    { method: 'GET', path: '/pets/{id}', description: 'Seen.' },
    { method: 'GET', path: '/toys/{id}', description: 'Seen.' },
    { method: 'POST', path: '/toys/{id}', description: 'Seen.' },
  ]
  const { patch, added } = additionsTo(before, additions)
  expect(added).toEqual(['DELETE /pets/{petId}', 'GET /toys/{toyId}', 'POST /toys/{toyId}'])
  const responses = { default: { description: 'Not described yet.' } }
  const toy = {
    description: 'Seen.',
    parameters: [{ name: 'toyId', in: 'path', required: true, schema: { type: 'string' } }],
    responses,
  }
  expect(applyPatch(before, patch)).toEqual({
    openapi: '3.1.0',
    paths: {
      '/pets/{petId}': { ...before.paths['/pets/{petId}'], delete: { description: 'Seen.', responses } },
      '/toys/{toyId}': { get: toy, post: toy },
    },
  })
  const swagger = additionsTo({ swagger: '2.0' }, additions.slice(2, 3))
  expect(applyPatch({ swagger: '2.0' }, swagger.patch)).toEqual({
    swagger: '2.0',
    paths: {
      '/toys/{toyId}': {
        get: { ...toy, parameters: [{ name: 'toyId', in: 'path', required: true, type: 'string' }] },
      },
    },
  })
})
