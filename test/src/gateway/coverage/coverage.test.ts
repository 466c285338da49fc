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

test('calls count for an operation once, from the first to the last, whatever their order', () => {
  const at = (day: number) => `2026-05-0${day}T00:00:00.000Z`
  const calls = [
    [3, 5],
    [2, 4],
    [4, 9],
  ].map(([from = 0, to = 0]) => seen('GET', { route: '/pets', count: from, firstAt: at(from), lastAt: at(to) }))
  for (const order of [calls, calls.toReversed()]) {
    const [pets] = coverageOf(document, order, { prefixes: [], other: '' }).operations
    expect([pets?.count, pets?.firstAt, pets?.lastAt]).toEqual([9, at(2), at(9)])
  }
  const unknown = coverageOf([], calls, { prefixes: [], other: '' })
  expect(unknown.undeclared).toEqual([
    { method: 'GET', path: '/pets', kind: 'path', count: 9, firstAt: at(2), lastAt: at(9) },
  ])
})

test('of operations with one shape the first is called, and HEAD is GET only where it is not declared', () => {
  const twins = [declared('GET', '/a/{x}'), declared('GET', '/a/{y}'), declared('HEAD', '/a/{x}')]
  const calls = [
    seen('GET', { pathShape: '/a/{id}' }),
    seen('GET', { route: '/a/{y}', count: 2 }),
    seen('HEAD', { pathShape: '/a/{id}', count: 4 }),
    seen('POST', { route: '/a/{y}', count: 8 }),
  ]
  expect(brief(coverageOf(twins, calls, { prefixes: [], other: '' }))).toEqual({
    operations: ['GET /a/{x} 1', 'GET /a/{y} 2', 'HEAD /a/{x} 4'],
    undeclared: ['POST /a/{id} method 8'],
    otherCalls: 0,
  })
})

test('OPTIONS counts where it is declared, and is left out of known paths only', () => {
  const calls = ['/pets', '/toys', '/cats'].map((pathShape) => seen('OPTIONS', { pathShape }))
  const some = [declared('OPTIONS', '/pets'), declared('GET', '/toys')]
  expect(brief(coverageOf(some, calls, { prefixes: [], other: '' }))).toEqual({
    operations: ['OPTIONS /pets 1', 'GET /toys 0'],
    undeclared: ['OPTIONS /cats path 1'],
    otherCalls: 0,
  })
  // Below no prefix, a path of the document is not known.
  const outside = coverageOf(some, [seen('OPTIONS', { pathShape: '/toys' })], { prefixes: ['/api'], other: '' })
  expect(brief(outside).undeclared).toEqual(['OPTIONS /toys outside 1'])
})

test('a name for further paths is no path, and is one where a template has it', () => {
  const calls = [seen('GET', { pathShape: '/(other)', count: 2 }), seen('GET', { route: '/(other)', count: 3 })]
  const at = (prefixes: string[]) =>
    coverageOf([{ ...declared('GET', '/pets'), prefixes: ['/(other)'] }], calls, { prefixes, other: '/(other)' })
  expect(brief(at([]))).toEqual({
    operations: ['GET /pets 0'],
    undeclared: ['GET /(other) path 3'],
    otherCalls: 2,
  })
  // Neither says that calls are below the prefixes of the servers.
  expect(at(['/api']).prefixes).toEqual(['/api'])
})

test('a template is a path of the document, whatever paths begin with at the gateway', () => {
  const served = [{ ...declared('GET', '/pets'), prefixes: ['/v1'] }, declared('GET', '/toys')]
  const calls = [
    seen('GET', { pathShape: '/v1/pets' }),
    seen('GET', { route: '/pets', count: 2 }),
    seen('PUT', { route: '/pets', count: 4 }),
    seen('GET', { pathShape: '/api/toys', count: 8 }),
    seen('GET', { pathShape: '/v1/toys', count: 16 }),
    seen('GET', { pathShape: '/toys', count: 32 }),
    seen('GET', { pathShape: '/api/pets', count: 64 }),
  ]
  expect(brief(coverageOf(served, calls, { prefixes: ['/api'], other: '' }))).toEqual({
    operations: ['GET /pets 3', 'GET /toys 24'],
    undeclared: ['GET /api/pets outside 64', 'GET /toys outside 32', 'PUT /pets method 4'],
    otherCalls: 0,
  })
})

test('the root of a server and a prefix that ends with a slash', () => {
  const served = [{ ...declared('GET', '/'), prefixes: ['/v1'] }]
  const calls = ['/v1', '/v1/', '/v10'].map((pathShape) => seen('GET', { pathShape }))
  expect(brief(coverageOf(served, calls, { prefixes: [], other: '' }))).toEqual({
    operations: ['GET / 2'],
    undeclared: ['GET /v10 outside 1'],
    otherCalls: 0,
  })
  const open = [{ ...declared('GET', '/'), prefixes: ['/{*}/store'] }]
  const roots = ['/{id}/store', '/a/b/store', '/store'].map((pathShape) => seen('GET', { pathShape }))
  expect(brief(coverageOf(open, roots, { prefixes: [], other: '' }))).toEqual({
    operations: ['GET / 2'],
    undeclared: ['GET /store path 1'],
    otherCalls: 0,
  })
  const below = ['/api/pets', '/api/', '/apis'].map((pathShape) => seen('GET', { pathShape }))
  expect(brief(coverageOf(document, below, { prefixes: ['/api/'], other: '' })).undeclared).toEqual([
    'GET /api outside 1',
    'GET /apis outside 1',
  ])
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

test('what a path item declares for its path alone is not declared again, and what is no path item is left as it is', () => {
  const parameters = [
    { name: 'a', in: 'path', required: true, schema: {} },
    { name: 'b', in: 'query', schema: {} },
    { name: 7, in: 'path' },
    { $ref: '#/components/parameters/c' },
    'c',
    null,
  ]
  const { patch, added } = additionsTo({ openapi: '3.1.0', paths: { '/x/{a}/{b}': { parameters }, '/y': null } }, [
    { method: 'get', path: '/x/{id}/{id}', description: 'Seen.' },
    { method: 'GET', path: '/y', description: 'Seen.' },
  ])
  expect(added).toEqual(['GET /x/{a}/{b}', 'GET /y'])
  const responses = { default: { description: 'Not described yet.' } }
  const own = [{ name: 'b', in: 'path', required: true, schema: { type: 'string' } }]
  expect(patch).toEqual([
    { op: 'add', path: '/paths/~1x~1{a}~1{b}/get', value: { description: 'Seen.', parameters: own, responses } },
    { op: 'add', path: '/paths/~1y', value: { get: { description: 'Seen.', responses } } },
  ])
})

test('what is no document gets paths', () => {
  const { patch } = additionsTo(null, [])
  expect(patch).toEqual([{ op: 'add', path: '/paths', value: {} }])
  expect(additionsTo({ paths: {} }, []).patch).toEqual([])
})
