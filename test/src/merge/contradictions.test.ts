/** What contradicts each other in a document, and what is no contradiction. */
import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { brokenBy, documentOf, refusalOf } from '../../../src/merge/broken-by.ts'
import { contradictionsIn } from '../../../src/merge/meaning.ts'

const keysIn = (document: Json) => contradictionsIn(document).map(({ key }) => key)
const withSchema = (schema: Json): Json => ({ components: { schemas: { A: schema } } })
const inSchema = (schema: Json) => keysIn(withSchema(schema))

test('a reference that leads nowhere is one fault, with all places that have it', () => {
  expect(contradictionsIn({ a: { $ref: '#/x' }, b: [{ $ref: '#/x' }], c: { $ref: '#/a' } })).toEqual([
    {
      key: '$ref #/x',
      at: null,
      reason: '"#/x" refers to nothing',
      places: [['a'], ['b', 0], ['x']],
      isFault: true,
    },
  ])
  const refers = [
    { operationRef: '#/x' },
    { discriminator: { propertyName: 'a', mapping: { a: '#/x' } } },
    { properties: { example: { $ref: '#/x' } } },
  ]
  expect(refers.map(keysIn)).toEqual(refers.map(() => ['$ref #/x']))
  const none = [
    { $ref: 'other.yaml#/x' },
    { $ref: 7 },
    { discriminator: 'a' },
    { discriminator: { mapping: 'a' } },
    { example: { $ref: '#/x' } },
    { 'x-a': { $ref: '#/x' } },
    { enum: [{ $ref: '#/x' }] },
    // Below "properties" keys are names.
    { properties: { $ref: '#/x' } },
  ] as Json[]
  expect(none.map(keysIn)).toEqual(none.map(() => []))
})

test('a range is a fault where nothing is in it, wherever its schema is', () => {
  expect(contradictionsIn({ minimum: 5, maximum: 1 })).toEqual([
    {
      key: 'minimum',
      at: [],
      reason: 'minimum 5 is more than maximum 1, so that nothing is valid',
      places: [['minimum'], ['maximum']],
      isFault: true,
    },
  ])
  expect([
    inSchema({ minimum: 3, maximum: 3 }),
    inSchema({ minimum: '5', maximum: 1 }),
    inSchema({ minimum: 5, maximum: null }),
    inSchema({ allOf: [{ minLength: 2, maxLength: 1 }] }),
    inSchema({ properties: { minimum: { minItems: 2, maxItems: 1 } } }),
    inSchema({ minProperties: 2, maxProperties: 1 }),
  ]).toEqual([[], [], [], ['minLength'], ['minItems'], ['minProperties']])
})

test('a list without which nothing is valid is a fault where nothing is in it', () => {
  expect(contradictionsIn({ properties: { a: { oneOf: [] } } })).toEqual([
    {
      key: 'oneOf',
      at: ['properties', 'a'],
      reason: 'oneOf has no item left',
      places: [['properties', 'a', 'oneOf']],
      isFault: true,
    },
  ])
  expect([
    inSchema({ anyOf: [], allOf: [], enum: [], type: [] }),
    inSchema({ oneOf: [{}], type: ['string'], enum: [null] }),
    inSchema({ properties: { oneOf: {}, enum: {} }, required: [], default: { oneOf: [] } }),
  ]).toEqual([['enum', 'anyOf', 'allOf', 'type'], [], []])
})

test('names of values are as many as the values', () => {
  expect([
    inSchema({ enum: ['a', 'b'], 'x-enum-varnames': ['A'] }),
    inSchema({ enum: ['a'], 'x-enumNames': ['A'] }),
    inSchema({ enum: 'a', 'x-enumNames': ['A'] }),
    inSchema({ enum: ['a'], 'x-enumNames': 'A' }),
  ]).toEqual([['x-enum-varnames'], [], [], []])
})

test('keywords of another type and properties that are not declared are doubts', () => {
  expect(contradictionsIn(withSchema({ type: 'string', minimum: 1 }))).toEqual([
    {
      key: 'minimum',
      at: ['components', 'schemas', 'A'],
      reason: 'minimum says nothing about the type string',
      places: [
        ['components', 'schemas', 'A', 'type'],
        ['components', 'schemas', 'A', 'minimum'],
      ],
      isFault: false,
    },
  ])
  expect([
    inSchema({ minLength: 1, minimum: 1 }),
    inSchema({ type: 'integer', minimum: 1, minLength: 1 }),
    inSchema({ type: ['string', 'integer'], minimum: 1, minLength: 1, minItems: 1 }),
    inSchema({ type: 7, minimum: 1 }),
    inSchema({ properties: { a: {} }, required: ['a', 'b', 7] }),
    inSchema({ required: ['b'] }),
  ]).toEqual([[], ['minLength'], ['minItems'], [], ['required b'], []])
})

test('two templates of the same URLs, and two operations of one id, are faults', () => {
  expect(keysIn({ paths: { '/a/{x}': {}, '/a/{y}': {}, '/b/{x}': {} } })).toEqual(['path /a/{}'])
  const get = { operationId: 'x' }
  expect([
    keysIn({ paths: { '/a': { get }, '/b': { post: get } } }),
    keysIn({ paths: { '/a': { get } }, webhooks: { a: { get } } }),
    // Neither is an operation.
    keysIn({ paths: { '/a': { get, 'x-get': get, parameters: get as Json } } }),
    keysIn({ paths: { '/a': { get, post: null, put: 'x' }, '/b': null } }),
    keysIn({ paths: 'x', webhooks: null }),
  ]).toEqual([['operationId x'], ['operationId x'], [], [], []])
})

test('a tag is a doubt where tags are declared', () => {
  const of = (tags: Json | undefined) =>
    contradictionsIn({ ...(tags === undefined ? {} : { tags }), paths: { '/a': { get: { tags: ['a', 'b'] } } } }).map(
      ({ key, isFault }) => [key, isFault],
    )
  expect([of(undefined), of([{ name: 'a' }, { name: 'b' }]), of([{ name: 'a' }, 'b'])]).toEqual([
    [],
    [],
    [['tag b', false]],
  ])
})

test('schemes and scopes that are asked for are declared', () => {
  const scopes = (...names: string[]) => ({ scopes: Object.fromEntries(names.map((it) => [it, ''])) })
  const of = (scheme: Json | undefined, asked: Json) =>
    keysIn({
      security: [asked],
      components: { securitySchemes: scheme === undefined ? {} : { auth: scheme } },
    })
  const oauth = { type: 'oauth2', flows: { a: scopes('read'), b: scopes('write') } }
  expect([
    of(undefined, { auth: [] }),
    of(oauth, { auth: ['read', 'write'] }),
    of(oauth, { auth: ['read', 'admin'] }),
    of({ type: 'apiKey' }, { auth: ['read'] }),
    of('x', { auth: ['read'] }),
    of({ flows: { a: null, b: 'x', c: { scopes: 'x' } } }, { auth: ['read'] }),
    of({ flows: 'x' }, { auth: ['read'] }),
    of(oauth, 'auth'),
  ]).toEqual([['scheme auth'], [], ['scope auth admin'], [], [], ['scope auth read'], [], []])
  const swagger = { swagger: '2.0', securityDefinitions: { auth: { type: 'oauth2', ...scopes('read') } } }
  expect([
    keysIn({ ...swagger, security: [{ auth: ['read', 'write'] }] }),
    keysIn({ security: [{ auth: [] }] }),
  ]).toEqual([['scope auth write'], ['scheme auth']])
  expect(keysIn({ ...swagger, securityDefinitions: { auth: 'x' }, security: [{ auth: ['read'] }] })).toEqual([])
  expect(contradictionsIn({ paths: { '/a': { get: { security: [{ auth: [] }] } } } })[0]?.places).toEqual([
    ['paths', '/a', 'get', 'security'],
    ['components', 'securitySchemes', 'auth'],
  ])
})

test('what is no object has no contradictions', () => {
  expect([null, 'x', 7, []].map((it) => contradictionsIn(it))).toEqual([[], [], [], []])
})

test('an edit is refused for what it breaks, and for nothing that was broken before', () => {
  const api = (more: Record<string, Json>): Json => ({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: {},
    ...more,
  })
  const whole = documentOf(api({}))
  const of = (after: Json, before = whole) => refusalOf(documentOf(after), before)
  const broken = api({ components: { schemas: { A: { $ref: '#/x' } } } })
  const twice = api({ components: { schemas: { A: { $ref: '#/x' }, B: { minimum: 2, maximum: 1 } } } })
  expect([
    of(api({ tags: [] })),
    of(broken),
    of(twice),
    of(twice, documentOf(broken)),
    of(broken, documentOf(broken)),
  ]).toEqual([
    null,
    '"#/x" refers to nothing (/components/schemas/A)',
    'minimum 2 is more than maximum 1, so that nothing is valid (/components/schemas/B/minimum), and 1 more like it',
    'minimum 2 is more than maximum 1, so that nothing is valid (/components/schemas/B/minimum)',
    null,
  ])
  // A doubt is no reason; the structure is, and the root has no pointer.
  expect(of(api({ components: { schemas: { A: { type: 'string', minimum: 1 } } } }))).toBe(null)
  expect(of({ openapi: '3.1.0', paths: {} })).toEndWith(' (the root)')
})

test('what is wrong in a file that a document refers to is none of its breakages', () => {
  const read = (paths: string) =>
    parseDocument(`openapi: 3.1.0\ninfo: { title: Pets, version: '1' }\npaths: { ${paths} }\n`, { source: 'a.yaml' })
  const after = read('/a: { $ref: b.yaml }')
  const other = parseDocument('get: { responses: 7 }\n', { source: 'b.yaml' })
  expect(brokenBy(after, [read('')], { 'b.yaml': other })).toEqual([])
  expect(brokenBy(after, [read('')]).map(({ key }) => key)).toEqual(['invalid-ref'])
})
