import { describe, expect, test } from 'bun:test'
import { readPact } from '../../../src/contracts/pact.ts'
import { resolvePact } from '../../../src/contracts/pact-import.ts'
import { matchPath } from '../../../src/contracts/match-path.ts'
import { availableSurface, surfaceBounds } from '../../../src/contracts/surface.ts'
import { parseDataPath, formatDataPath } from '../../../src/contracts/data-path.ts'
import { resolveSelection } from '../../../src/contracts/selection.ts'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { api, selectionOf, specificationOf } from './documents.ts'

const text = { type: 'string' }
const object = (properties: Record<string, unknown>) => ({ type: 'object', properties })
const pactOf = (interaction: JsonObject, version = '2.0.0') => {
  const pact = readPact({
    consumer: { name: 'c' },
    provider: { name: 'p' },
    interactions: [{ description: 'it', ...interaction }],
    metadata: { pactSpecification: { version } },
  })
  if (typeof pact === 'string') throw new Error(pact)
  return pact
}

describe('the shapes of a Pact, versions 1 to 4', () => {
  const shapes: readonly (readonly [string, JsonObject, object])[] = [
    [
      'a query as a text',
      { request: { path: '/a', query: 'x=1&y=2&x=3' } },
      {
        query: [
          ['x', ['1', '3']],
          ['y', ['2']],
        ],
      },
    ],
    [
      'a query as a map of lists',
      { request: { path: '/a', query: { x: ['1', '3'] } } },
      { query: [['x', ['1', '3']]] },
    ],
    ['a query as a map of texts', { request: { path: '/a', query: { x: '1' } } }, { query: [['x', ['1']]] }],
    ['a query within the path', { request: { path: '/a?x=1' } }, { path: '/a', query: [['x', ['1']]] }],
    [
      'a bare body',
      { request: { method: 'post', path: '/a', body: { k: 1 } } },
      { method: 'POST', body: { kind: 'json', value: { k: 1 } } },
    ],
    [
      'a body of version 4',
      { request: { path: '/a', body: { content: { k: 1 }, contentType: 'application/json', encoded: false } } },
      { body: { kind: 'json', value: { k: 1 } } },
    ],
    [
      'a body of version 4 as text',
      { request: { path: '/a', body: { content: '{"k":1}', contentType: 'application/json', encoded: 'JSON' } } },
      { body: { kind: 'json', value: { k: 1 } } },
    ],
    [
      'a body of version 4 in base64',
      {
        request: { path: '/a', body: { content: btoa('{"k":1}'), contentType: 'application/json', encoded: 'base64' } },
      },
      { body: { kind: 'json', value: { k: 1 } } },
    ],
    [
      'a body whose only key is content',
      { request: { path: '/a', body: { content: 'x' } } },
      { body: { kind: 'json', value: { content: 'x' } } },
    ],
    [
      'a form',
      { request: { path: '/a', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'a=1&b=2' } },
      { body: { kind: 'json', value: { a: '1', b: '2' } } },
    ],
    [
      'a form of several parts, in base64',
      {
        request: {
          path: '/a',
          body: {
            content: btoa(
              '--x\r\nContent-Disposition: form-data; name="file"; filename="name=no.txt"\r\n\r\nbytes\r\n--x\r\ncontent-disposition: form-data; name="note"\r\n\r\nhello\r\n--x--',
            ),
            contentType: 'multipart/form-data; boundary=x',
            encoded: 'base64',
          },
        },
      },
      { body: { kind: 'json', value: { file: '', note: '' } } },
    ],
    [
      'a path with the address of a mock server',
      { request: { method: 'get', path: 'http://localhost:8080/a?b=1' } },
      { path: '/a', query: [['b', ['1']]] },
    ],
    [
      'other text',
      { request: { path: '/a', headers: { 'Content-Type': ['text/plain'] }, body: 'hello' } },
      { body: { kind: 'other', mediaType: 'text/plain' } },
    ],
    [
      'nothing but a path',
      { request: { path: '' } },
      { method: 'GET', path: '/', status: '200', body: { kind: 'none' } },
    ],
    [
      'values that are null',
      {
        request: { method: 'GET', path: '/a', query: null, headers: null, body: null },
        response: { status: 204, headers: null, body: null },
      },
      { status: '204', body: { kind: 'none' } },
    ],
  ]
  for (const [name, interaction, expected] of shapes)
    test(name, () => {
      const [read] = pactOf(interaction).interactions
      expect({ ...read, query: [...(read?.query ?? [])] }).toMatchObject(expected)
    })

  test('versions are found wherever tools put them, and a file without one is read', () => {
    const version = (metadata: Json) => {
      const pact = readPact({ interactions: [{ request: { path: '/' } }], metadata })
      return typeof pact === 'string' ? pact : pact.specification
    }
    expect(version({ pactSpecification: { version: '4.0' } })).toBe('4.0')
    expect(version({ 'pact-specification': { version: '3.0.0' } })).toBe('3.0.0')
    expect(version({ pactSpecificationVersion: '1.1.0' })).toBe('1.1.0')
    expect(version(null)).toBe(null)
  })

  test('messages and unknown entries are distinguished from what fails', () => {
    const pact = readPact({
      interactions: [{ type: 'Asynchronous/Messages', description: 'm' }, null, { description: 'empty' }],
      messages: [{ description: 'old message' }],
    })
    if (typeof pact === 'string') throw new Error(pact)
    expect(pact.unsupported.map((it) => it.name)).toEqual(['m', 'interaction 2', 'empty', 'old message'])
    expect(pact.interactions).toEqual([])
    const { unresolved, contract } = resolvePact(pact, specificationOf(api(text)))
    expect([unresolved.map((it) => it.reason), contract.operations]).toEqual([
      ['unsupported-interaction', 'unsupported-interaction', 'unsupported-interaction', 'unsupported-interaction'],
      [],
    ])
  })
})

describe('paths', () => {
  const get = (...templates: string[]) =>
    specificationOf({
      openapi: '3.1.0',
      info: {},
      servers: [{ url: 'https://api.example/{version}', variables: { version: { default: 'v1' } } }],
      paths: Object.fromEntries(
        templates.map((template) => [
          template,
          {
            get: {
              parameters: [...template.matchAll(/\{(\w+)\}/g)].map((entry) => ({
                name: entry[1],
                in: 'path',
                required: true,
                schema: { type: entry[1] === 'number' ? 'integer' : 'string' },
              })),
              responses: { '200': { description: '' } },
            },
          },
        ]),
      ),
    })
  const found = (path: string, ...templates: string[]): string => {
    const match = matchPath(get(...templates), 'GET', path)
    return match.kind === 'operation' ? match.operation.template : match.kind
  }

  test('concrete segments win, servers are stripped, types decide between templates of one shape', () => {
    expect(found('/pets/mine', '/pets/{id}', '/pets/mine')).toBe('/pets/mine')
    expect(found('/v1/pets/7', '/pets/{id}')).toBe('/pets/{id}')
    expect(found('/pets/7/', '/pets/{id}')).toBe('/pets/{id}')
    expect(found('/pets/abc', '/pets/{number}', '/pets/{name}')).toBe('/pets/{name}')
    expect(found('/pets/7', '/pets/{number}', '/pets/{name}')).toBe('ambiguous')
    expect(found('/files/a.json', '/files/{name}', '/files/{name}.json')).toBe('/files/{name}.json')
    expect(found('/pets/a%2Fb', '/pets/{id}')).toBe('/pets/{id}')
    expect(found('/pets', '/pets/{id}')).toBe('no-path')
    expect(matchPath(get('/pets'), 'DELETE', '/pets').kind).toBe('no-method')
  })

  test('a parameter of the wrong type is a warning, not a loss', () => {
    const { warnings, unresolved } = resolvePact(
      pactOf({ request: { path: '/pets/abc' }, response: { status: 200 } }),
      get('/pets/{number}'),
    )
    expect([warnings.map((it) => [it.code, it.field]), unresolved]).toEqual([[['parameter-type', 'number']], []])
  })
})

test('statuses are found exactly, by range, and as the default', () => {
  const responses = { '2XX': { description: '' }, default: { description: '' } }
  const spec = specificationOf(api(null, { method: 'get', responses }))
  const declared = (status: number) =>
    resolvePact(
      pactOf({ request: { path: '/things' }, response: { status } }),
      spec,
    ).contract.operations[0]?.responses.map((it) => [it.status, it.declared])
  expect([declared(201), declared(500)]).toEqual([[['201', '2XX']], [['500', 'default']]])
})

test('what cannot be looked into has a reason of its own', () => {
  const spec = specificationOf({
    openapi: '3.1.0',
    info: {},
    paths: {
      '/a': {
        post: {
          responses: {
            '200': { description: '' },
            '201': { description: '', content: { 'application/xml': { schema: {} } } },
          },
        },
      },
    },
  })
  const reasons = (response: JsonObject) =>
    resolvePact(pactOf({ request: { method: 'POST', path: '/a', body: { k: 1 } }, response }), spec).unresolved.map(
      (it) => `${it.location} ${it.reason}`,
    )
  expect(reasons({ status: 200, body: { k: 1 } })).toEqual([
    'request body-schema-missing',
    'response body-schema-missing',
  ])
  expect(reasons({ status: 201, body: { k: 1 } })).toEqual(['request body-schema-missing', 'response body-not-json'])
})

test('fields of forms in Swagger 2.0 point at their parameters', () => {
  const spec = specificationOf({
    swagger: '2.0',
    info: {},
    basePath: '/api',
    paths: {
      '/a': {
        post: {
          consumes: ['application/x-www-form-urlencoded'],
          parameters: [
            { name: 'other', in: 'query', type: 'string' },
            { name: 'k', in: 'formData', type: 'string' },
          ],
          responses: { '200': { description: '', schema: { type: 'object', properties: { id: text } } } },
        },
      },
    },
  })
  const { contract, unresolved } = resolvePact(
    pactOf({
      request: {
        method: 'POST',
        path: '/api/a',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'k=1',
      },
      response: { status: 200, body: { id: 'x' } },
    }),
    spec,
  )
  expect(unresolved).toEqual([])
  expect(contract.operations[0]?.request).toEqual([{ field: 'k', pointers: ['/paths/~1a/post/parameters/1'] }])
})

test('every branch that declares a field is pointed at', () => {
  const spec = specificationOf(
    api({ oneOf: [object({ id: text, a: text }), { anyOf: [object({ id: text }), object({ b: text })] }] }),
  )
  const { contract, unresolved } = resolveSelection(selectionOf({ response: ['id', 'a', 'c'] }), spec)
  const root = '/paths/~1things/post/responses/200/content/application~1json/schema'
  expect(contract.operations[0]?.responses[0]?.fields).toEqual([
    { field: 'a', pointers: [`${root}/oneOf/0/properties/a`] },
    { field: 'id', pointers: [`${root}/oneOf/0/properties/id`, `${root}/oneOf/1/anyOf/0/properties/id`] },
  ])
  expect(unresolved.map((it) => [it.reason, it.field])).toEqual([['field-not-found', 'c']])
})

test('the surface is bounded, ends on recursion, and says when it was cut', () => {
  const wide = object(Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`f${i}`, text])))
  const [cut] = availableSurface(specificationOf(api(wide)), { limit: 1, offset: 0 }).operations
  expect([cut?.truncated, cut?.responses[0]?.fields.length]).toEqual([true, surfaceBounds.fields])
  const declared = resolveSelection(selectionOf({ response: ['f699'] }), specificationOf(api(wide)))
  expect(declared.unresolved).toEqual([])
  const node = { type: 'object', properties: { id: text, next: { $ref: '#/components/schemas/Node' } } }
  const spec = specificationOf(api({ $ref: '#/components/schemas/Node' }, { schemas: { Node: node } }))
  const [recursive] = availableSurface(spec, { limit: 1, offset: 0 }).operations
  expect([recursive?.truncated, recursive?.responses[0]?.fields.map((it) => it.field)]).toEqual([
    true,
    ['id', 'next', 'next.id', 'next.next'],
  ])
  let deep: Record<string, unknown> = text
  for (let level = 12; level > 0; level--) deep = object({ [`l${level}`]: deep })
  const [bounded] = availableSurface(specificationOf(api(deep)), { limit: 1, offset: 0 }).operations
  expect([bounded?.truncated, bounded?.responses[0]?.fields.length]).toEqual([true, surfaceBounds.depth])
})

test('data paths are read as they are written', () => {
  for (const path of ['a', 'a.b', 'a[].b', '[].a', 'a[][]', String.raw`a\.b.c`, '[]', String.raw`filter\[x\]`]) {
    const steps = parseDataPath(path)
    expect([path, steps === null ? null : formatDataPath(steps)]).toEqual([path, path])
  }
  for (const wrong of ['', '.', 'a.', '.a', 'a..b', 'a[', 'a[0]', 'a[]b', 'a.[]'])
    expect([wrong, parseDataPath(wrong)]).toEqual([wrong, null])
})
