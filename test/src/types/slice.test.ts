import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { diff } from '../../../src/diff/diff.ts'
import { inTypes } from '../../../src/diff/places.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { joinDocuments } from '../../../src/import/bundle/document.ts'
import { sliceOf } from '../../../src/types/slice.ts'

const json = (schema: Json) => ({ content: { 'application/json': { schema } } })
const ok = (schema: Json) => ({ '200': { description: 'ok', ...json(schema) } })
const own = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const type = { $ref: 'svc:a/T' }

const description = {
  openapi: '3.1.0',
  info: { title: 'All', version: '1' },
  paths: {
    '/direct': { get: { responses: ok(type) }, post: { responses: ok({ type: 'string' }) } },
    '/deep': { get: { responses: ok({ type: 'array', items: own('Holder') }) } },
    '/loop': { put: { requestBody: { $ref: '#/components/requestBodies/Body' }, responses: {} } },
    '/shared': {
      parameters: [{ $ref: '#/components/parameters/P' }],
      get: { responses: ok({ type: 'integer' }) },
      delete: { responses: {} },
    },
    '/none': { get: { responses: ok(own('Plain')) } },
  },
  components: {
    schemas: {
      Holder: { properties: { it: own('Inner'), next: own('Holder') } },
      Inner: { anyOf: [type, { type: 'null' }] },
      'A/b~c': { $ref: 'svc:a/T' },
      Loop: { properties: { odd: { $ref: '#/components/schemas/A~1b~0c' } } },
      Plain: { type: 'object', properties: { a: own('Other') } },
      Other: { type: 'string' },
    },
    parameters: { P: { name: 'p', in: 'query', schema: type } },
    requestBodies: { Body: json(own('Loop')) },
    securitySchemes: { key: { type: 'apiKey', name: 'k', in: 'header' } },
  },
}

const swagger = {
  swagger: '2.0',
  info: { title: 'All', version: '1' },
  paths: {
    '/direct': { get: { responses: { '200': { description: 'ok', schema: { $ref: '#/definitions/A' } } } } },
    '/none': { get: { responses: { '200': { description: 'ok', schema: { $ref: '#/definitions/B' } } } } },
  },
  definitions: { A: { properties: { t: type } }, B: { type: 'string' } },
}

const changesOf = (document: Json, value: Json) => {
  const text = JSON.stringify(document)
  const entry = { ...parseDocument(text, { source: 'a.json' }), value }
  const made = (schema: Json) => [parseDocument(JSON.stringify(schema), { source: 'svc:a/T', syntax: 'json' as const })]
  const base = joinDocuments(entry, made({ type: 'integer', minimum: 0 }), (place) => place)
  const head = joinDocuments(entry, made({ type: 'integer', minimum: 1, maximum: 9 }), (place) => place)
  // An unused component that is nothing but the type would give it another name and another place in the order.
  return inTypes(diff(base, head), base, head)
    .changes.map(({ id, operations, classification, base: at }) =>
      [id, classification, ...operations, at?.pointer].join(' '),
    )
    .toSorted()
}

test('a slice has the changes of the whole', () => {
  for (const document of [description, swagger]) {
    const slice = sliceOf(document, new Set(['svc:a/T']), JSON.stringify(document))
    expect(changesOf(document, slice)).toEqual(changesOf(document, document))
    expect(changesOf(document, document).length).toBeGreaterThan(0)
  }
})

const names = ['A', 'B', 'C', 'D', 'E~/x'] as const
const part = (section: string, name: string) => ({
  $ref: `#/components/${section}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
})
const schemaParts: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>({ type: 'string' }, type, { type: 'object', properties: { t: type } }),
  fc.constantFrom(...names).map((name): Json => ({ type: 'object', properties: { p: part('schemas', name) } })),
  fc.constantFrom(...names).map((name): Json => ({ type: 'array', items: part('schemas', name) })),
)
interface Item {
  readonly get: Json | undefined
  readonly post: string | undefined
  readonly shared: string | undefined
}
const pathItems: fc.Arbitrary<Item> = fc.record({
  get: fc.option(schemaParts, { nil: undefined }),
  post: fc.option(fc.constantFrom(...names), { nil: undefined }),
  shared: fc.option(fc.constantFrom(...names), { nil: undefined }),
})
const descriptions = fc
  .record({
    schemas: fc.tuple(...names.map(() => schemaParts)),
    bodies: fc.tuple(...names.map(() => schemaParts)),
    parameters: fc.tuple(...names.map(() => schemaParts)),
    items: fc.array(pathItems, { minLength: 1, maxLength: 4 }),
    hooks: fc.array(pathItems, { maxLength: 2 }),
  })
  .map(({ schemas, bodies, parameters, items, hooks }): Json => {
    const by = (list: readonly Json[]): Json => Object.fromEntries(names.map((name, n) => [name, list[n] as Json]))
    const written = (list: readonly Item[], before: string): Json =>
      Object.fromEntries(
        list.map(({ get, post, shared }, n) => [
          `${before}${n}`,
          {
            ...(shared === undefined ? {} : { parameters: [part('parameters', shared)] }),
            ...(get === undefined ? {} : { get: { responses: ok(get) } }),
            ...(post === undefined ? {} : { post: { requestBody: part('requestBodies', post), responses: {} } }),
          },
        ]),
      )
    return {
      openapi: '3.1.0',
      info: { title: 'Any', version: '1' },
      paths: written(items, '/p'),
      webhooks: written(hooks, 'h'),
      components: {
        schemas: by(schemas),
        requestBodies: by(bodies.map((it) => json(it))),
        parameters: by(parameters.map((schema, n): Json => ({ name: `p${n}`, in: 'query', schema }))),
      },
    }
  })

test('whatever a description holds, a slice of it has the changes of the whole', () => {
  fc.assert(
    fc.property(descriptions, (document) => {
      const slice = sliceOf(document, new Set(['svc:a/T']), JSON.stringify(document))
      expect(changesOf(document, slice)).toEqual(changesOf(document, document))
    }),
    { numRuns: 40 },
  )
})

test('a slice has the operations that reach a reference, with what these use', () => {
  const slice = sliceOf(description, new Set(['svc:a/T']), '') as unknown as typeof description
  expect(Object.entries(slice.paths).map(([path, item]) => [path, ...Object.keys(item)])).toEqual([
    ['/direct', 'get'],
    ['/deep', 'get'],
    ['/loop', 'put'],
    ['/shared', 'parameters', 'get', 'delete'],
  ])
  expect(Object.values(slice.components).map((it) => Object.keys(it))).toEqual([
    ['Holder', 'Inner', 'A/b~c', 'Loop'],
    ['P'],
    ['Body'],
    ['key'],
  ])
})

test('what is no API description, or names parts in other ways, is not cut', () => {
  const schema = { type: 'object', properties: { a: type } }
  expect(sliceOf(schema, new Set(['svc:a/T']), '')).toBe(schema)
  for (const text of ['"discriminator"', '"$id"', '"operationRef"', '"#/paths/~1a"'])
    expect([text, sliceOf(description, new Set(['svc:a/T']), text) === description]).toEqual([text, true])
})

test('a description without parts or webhooks is cut as well, and what is no map of paths stays', () => {
  const affected = new Set(['svc:a/T'])
  const slice = (value: Json) => sliceOf(value, affected, JSON.stringify(value))
  const [direct, plain] = [{ get: { responses: ok(type) } }, { get: { responses: ok(true) } }]
  const small = { openapi: '3.1.0', info: { title: 'All', version: '1' } }
  expect(slice({ ...small, paths: { '/a': direct, '/b': plain } })).toEqual({ ...small, paths: { '/a': direct } })
  expect(slice({ ...small, webhooks: { a: direct, b: plain } })).toEqual({ ...small, webhooks: { a: direct } })
  for (const odd of [
    { ...small, paths: 5 },
    { ...small, paths: [plain] },
    { ...small, components: 5 },
  ])
    expect(slice(odd)).toEqual(odd)
  expect(slice({ ...small, components: { schemas: 5, links: { a: {} } } })).toEqual({
    ...small,
    components: { schemas: 5, links: {} },
  })
  expect(slice(swagger)).toEqual({
    ...swagger,
    paths: { '/direct': swagger.paths['/direct'] },
    definitions: { A: swagger.definitions.A },
  })
})
