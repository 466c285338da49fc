/** Joined descriptions: every operation means what it meant, nothing refers to nothing, and what is the same is there once. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { diff } from '../../../src/diff/diff.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { findUnresolved } from '../../../src/document/reference.ts'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { joinDescriptions, type JoinSource } from '../../../src/join/join.ts'

const documentOf = (value: Json) => parseDocument(JSON.stringify(value), { source: 'x.json' })
const source = (name: string, value: JsonObject, pathPrefix = ''): JoinSource => ({
  name,
  value,
  prefix: name,
  pathPrefix,
})
const described = (more: JsonObject): JsonObject => ({ openapi: '3.1.0', info: { title: 'T', version: '1' }, ...more })
const answers = (schema: Json): JsonObject => ({
  responses: { '200': { description: 'OK', content: { 'application/json': { schema } } } },
})
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
const joined = (a: JsonObject, b: JsonObject) => joinDescriptions([source('a', a), source('b', b)])

test('equal components are shared, others of one name get a prefix, with all that refers to them', () => {
  const common = { type: 'object' }
  const a = described({
    paths: { '/a': { get: answers(ref('Pet')) } },
    components: { schemas: { Pet: { properties: { of: ref('Kind') } }, Kind: { enum: ['x'] }, Same: common } },
  })
  const b = described({
    paths: { '/b': { get: answers(ref('Pet')), post: answers(ref('Same')) } },
    components: { schemas: { Pet: { properties: { of: ref('Kind') } }, Kind: { enum: ['y'] }, Same: common } },
  })
  const { value, conflicts, shared } = joined(a, b)
  // Pet of b is written alike, and is another one: its Kind is.
  expect(Object.keys((value.components as JsonObject).schemas as JsonObject).toSorted()).toEqual([
    'Kind',
    'Pet',
    'Same',
    'b_Kind',
    'b_Pet',
  ])
  expect(shared).toEqual(['schemas/Same'])
  expect(conflicts.map(({ subject, renamedTo }) => [subject, renamedTo])).toEqual([
    ['schema Pet', 'b_Pet'],
    ['schema Kind', 'b_Kind'],
  ])
  expect(value.paths).toMatchObject({ '/b': { get: answers(ref('b_Pet')) } })
  expect(findUnresolved(documentOf(value))).toEqual([])
})

test('servers and security that differ are written to the operations', () => {
  const a = described({
    servers: [{ url: 'https://a' }],
    security: [{ key: [] }],
    paths: { '/a': { get: answers({}) } },
    components: { securitySchemes: { key: { type: 'http', scheme: 'basic' } } },
  })
  const b = described({
    paths: { '/a': { post: answers({}) }, '/b': { get: { ...answers({}), security: [{ key: [] }] } } },
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  })
  expect(joined(a, b).value.paths).toEqual({
    '/a': {
      get: { ...answers({}) },
      post: { ...answers({}), security: [], servers: [{ url: '/' }] },
    },
    '/b': { get: { ...answers({}), security: [{ b_key: [] }] }, servers: [{ url: '/' }] },
  })
})

test('operation ids are used once, and links follow them', () => {
  const of = (path: string): JsonObject =>
    described({
      paths: {
        [path]: {
          get: {
            operationId: 'list',
            responses: { '200': { description: 'OK', links: { next: { operationId: 'list' } } } },
          },
        },
      },
    })
  const { value, conflicts } = joined(of('/a'), of('/b'))
  expect(value.paths).toMatchObject({
    '/b': { get: { operationId: 'b_list', responses: { '200': { links: { next: { operationId: 'b_list' } } } } } },
  })
  expect(conflicts).toMatchObject([{ kind: 'operation id', subject: 'operationId list', first: 'a', second: 'b' }])
})

test('a discriminator selects by the names that its values have', () => {
  const schemas = (kind: string): JsonObject => ({
    Pet: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind', mapping: { hound: 'Dog' } } },
    Cat: { properties: { kind: {}, a: { const: kind } } },
    Dog: { properties: { kind: {}, a: { const: kind } } },
    Base: { discriminator: { propertyName: 'kind' } },
    Child: { allOf: [ref('Base'), { properties: { a: { const: kind } } }] },
  })
  const { value } = joined(
    described({ paths: {}, components: { schemas: schemas('x') } }),
    described({ paths: {}, components: { schemas: schemas('y') } }),
  )
  expect((value.components as JsonObject).schemas).toMatchObject({
    b_Pet: {
      discriminator: { mapping: { hound: '#/components/schemas/b_Dog', Cat: '#/components/schemas/b_Cat' } },
    },
    b_Base: { discriminator: { mapping: { Child: '#/components/schemas/b_Child' } } },
  })
})

test('one operation with two meanings is a conflict that nothing solves but a prefix of paths', () => {
  const a = described({ paths: { '/a': { get: answers({ type: 'string' }) }, '/x/{id}': {} } })
  const b = described({
    jsonSchemaDialect: 'https://example.com/own',
    paths: { '/a': { get: answers({ type: 'number' }) }, '/x/{key}': {} },
  })
  expect(
    joined(a, b)
      .conflicts.filter(({ isFatal }) => isFatal)
      .map(({ kind, subject }) => [kind, subject]),
  ).toEqual([
    ['document', 'jsonSchemaDialect'],
    ['operation', 'GET /a'],
    ['path', '/x/{key}, which matches the URLs of /x/{id}'],
  ])
  const { value, conflicts } = joinDescriptions([
    source('a', a),
    source('b', { ...b, jsonSchemaDialect: undefined } as unknown as JsonObject, '/v2'),
  ])
  expect(conflicts).toEqual([])
  expect(Object.keys(value.paths as JsonObject)).toEqual(['/a', '/x/{id}', '/v2/a', '/v2/x/{key}'])
})

const name = fc.constantFrom('A', 'B', 'C')
const schema = fc.oneof(
  fc.constantFrom<Json>({ type: 'string' }, { type: 'number' }, { enum: ['x', 'y'] }),
  fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(fc.constantFrom('p', 'q'), name.map(ref), { maxKeys: 2 }),
  }),
  fc.record({ type: fc.constant('array'), items: name.map(ref) }),
  name.map((it) => ({ oneOf: [ref(it), { type: 'null' }] })),
)
const description = (paths: readonly string[]) =>
  fc
    .record({
      schemas: fc.tuple(schema, schema, schema),
      uses: fc.array(
        fc.tuple(
          fc.constantFrom(...paths),
          fc.constantFrom('get', 'post'),
          name,
          fc.option(fc.constantFrom('one', 'two'), { nil: undefined }),
        ),
        { minLength: 1, maxLength: 3 },
      ),
      server: fc.constantFrom('https://a', 'https://b'),
      key: fc.constantFrom('basic', 'bearer'),
      isSecure: fc.boolean(),
    })
    .map(({ schemas: [A, B, C], uses, server, key, isSecure }): JsonObject => {
      const items: Record<string, Record<string, Json>> = {}
      const ids = new Set<string>()
      for (const [path, method, it, id] of uses) {
        const own = id === undefined || ids.has(id) ? {} : { operationId: id }
        if (id !== undefined) ids.add(id)
        ;(items[path] ??= {})[method] = { ...answers(ref(it)), ...own }
      }
      return described({
        servers: [{ url: server }],
        ...(isSecure ? { security: [{ key: [] }] } : {}),
        paths: items,
        components: { schemas: { A, B, C }, securitySchemes: { key: { type: 'http', scheme: key } } },
      })
    })

test('svc diff finds nothing that an operation of an input lost or became', () => {
  fc.assert(
    fc.property(description(['/a', '/b']), description(['/b', '/c']), (a, b) => {
      const { value, conflicts } = joined(a, b)
      if (conflicts.some(({ isFatal }) => isFatal)) return
      const result = documentOf(value)
      expect(findUnresolved(result)).toEqual([])
      for (const [at, input] of [a, b].entries()) {
        const renamed = new Set(
          conflicts.filter((it) => it.kind === 'operation id').map((it) => it.subject.split(' ')[1]),
        )
        const { changes } = diff(documentOf(input), result, {})
        const told = changes.filter(({ id, method, severity }) => {
          if (method === null || (severity === 'non-breaking' && id === 'operation-added')) return false
          return !(at === 1 && renamed.size > 0 && id.includes('operation-id'))
        })
        expect(told.map(({ id, message }) => [id, message])).toEqual([])
      }
    }),
    { numRuns: 200 },
  )
})
