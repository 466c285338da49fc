/** Anchors: how places are named, and where they are found again after an edit. */
import { expect, test } from 'bun:test'
import { anchorAt, excerptOf, makeAnchor } from '../../../src/anchors/anchor.ts'
import { keyOf, resolveKey } from '../../../src/anchors/key.ts'
import { kindOf } from '../../../src/anchors/kind.ts'
import { reanchor, type AnchorPosition } from '../../../src/anchors/reanchor.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { parsePointer } from '../../../src/kernel/pointer.ts'
import { digestValue } from '../../../src/document/serialize.ts'

const limit = {
  name: 'limit',
  in: 'query',
  description: 'How many pets one page has at most',
  schema: { type: 'integer' },
}
const cursor = {
  name: 'cursor',
  in: 'query',
  description: 'Where the next page of pets begins',
  schema: { type: 'string' },
}
const pet = {
  type: 'object',
  description: 'An animal that someone may adopt',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, tag: { type: 'string', enum: ['cat', 'dog'] } },
}
const listPets = {
  operationId: 'listPets',
  summary: 'List all pets of the shop',
  parameters: [limit, cursor],
  responses: { '200': { description: 'Pets' } },
}
const pets = (parts: { parameters?: Json; path?: string; list?: Json; schemas?: Json; item?: string } = {}): Json => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0' },
  paths: {
    [parts.path ?? '/pets']: { get: parts.list ?? { ...listPets, parameters: parts.parameters ?? [limit, cursor] } },
    [parts.item ?? '/pets/{id}']: { get: { summary: 'Get a pet', responses: { '200': { description: 'A pet' } } } },
  },
  components: { schemas: parts.schemas ?? { Pet: pet } },
})

const after = (base: Json, head: Json, pointer: string): AnchorPosition & { kind: string } => {
  const anchor = makeAnchor(base, pointer)
  if (anchor === null) throw new Error(`${pointer} names nothing`)
  const [place] = reanchor(base, head, [{ key: anchor.key, nodeDigest: anchor.nodeDigest, lastKey: anchor.key }])
  return { kind: anchor.kind, ...(place as AnchorPosition) }
}

test('a place is named by what it means', () => {
  const document = pets()
  const keys = [
    '',
    '/info/title',
    '/paths/~1pets',
    '/paths/~1pets/get',
    '/paths/~1pets/get/parameters/1/schema',
    '/paths/~1pets~1{id}/get/responses/200',
    '/components/schemas/Pet',
    '/components/schemas/Pet/properties/name',
    '/components/schemas/Pet/required/1',
    '/components/schemas/Pet/properties/tag/enum/0',
  ].map((pointer) => [makeAnchor(document, pointer)?.kind, makeAnchor(document, pointer)?.key])
  expect(keys).toEqual([
    ['document', '#'],
    ['document', '#info/title'],
    ['operation', 'PATH /pets'],
    ['operation', 'GET /pets'],
    ['schema', 'GET /pets#parameters/query:cursor/schema'],
    ['response', 'GET /pets/{id}#responses/200'],
    ['schema', 'schema:Pet'],
    ['property', 'schema:Pet#properties/name'],
    ['schema', 'schema:Pet#required/"name"'],
    ['enum-value', 'schema:Pet#properties/tag/enum/"cat"'],
  ])
  expect(makeAnchor(document, '/paths/~1cats')).toBe(null)
  expect(makeAnchor(document, 'paths')).toBe(null)
})

test('kinds are those of the innermost known thing', () => {
  const kinds = [
    '/paths/~1a/post/requestBody/content/application~1json/schema/items',
    '/paths/~1a/post/responses/200/headers/X-Rate/schema',
    '/paths/~1a/post/responses/200/headers/X-Rate',
    '/paths/~1a/post/requestBody/content',
    '/components/schemas/parameters/properties/schemas',
    '/components/schemas/A/properties/x-trace',
    '/components/schemas/A/x-owner',
    '/components/securitySchemes/key',
    '/security/0',
    '/servers/1/url',
    '/paths/~1a/get/responses/200/content/a~1b/example/parameters/0',
  ].map((pointer) => kindOf(parsePointer(pointer) ?? []))
  expect(kinds).toEqual([
    'schema',
    'schema',
    'header',
    'request-body',
    'property',
    'property',
    'extension',
    'security',
    'security',
    'server',
    'response',
  ])
})

test('keys lead back to their place, with every character that escapes something', () => {
  const document: Json = {
    paths: { '/a~b#c/{d}': { get: { tags: ['x/y', 'x/y', '~0#'] } } },
    definitions: { 'A/B~#': { title: 't' } },
    other: [{ a: 1 }, { a: 1 }, [1, [2]], { name: 'n' }, { name: 'n', b: 2 }],
  }
  const pointers = [
    '/paths/~1a~0b#c~1{d}/get/tags/1',
    '/paths/~1a~0b#c~1{d}/get/tags/2',
    '/definitions/A~1B~0#/title',
    '/other/1/a',
    '/other/2/1/0',
    '/other/4/b',
  ]
  for (const pointer of pointers) {
    const { key } = makeAnchor(document, pointer) ?? { key: '' }
    const path = resolveKey(document, key)
    expect([key, path?.map(String)]).toEqual([key, [...(parsePointer(pointer) ?? [])]])
  }
})

test('a parameter stays anchored at any position of the list', () => {
  const place = after(
    pets(),
    pets({ parameters: [{ name: 'tag', in: 'query' }, cursor, limit] }),
    '/paths/~1pets/get/parameters/0/schema',
  )
  expect(place).toEqual({
    kind: 'schema',
    state: 'anchored',
    key: 'GET /pets#parameters/query:limit/schema',
    pointer: '/paths/~1pets/get/parameters/2/schema',
  })
})

test('a parameter that is gone is outdated at its list, and never at the one that took its position', () => {
  expect(after(pets(), pets({ parameters: [cursor] }), '/paths/~1pets/get/parameters/0')).toEqual({
    kind: 'parameter',
    state: 'outdated',
    key: 'GET /pets#parameters',
    pointer: '/paths/~1pets/get/parameters',
  })
})

test('what was renamed has moved', () => {
  expect(after(pets(), pets({ schemas: { Animal: pet } }), '/components/schemas/Pet/properties/name')).toEqual({
    kind: 'property',
    state: 'moved',
    key: 'schema:Animal#properties/name',
    pointer: '/components/schemas/Animal/properties/name',
  })
  expect(after(pets(), pets({ path: '/animals' }), '/paths/~1pets/get/parameters/1')).toMatchObject({
    state: 'moved',
    key: 'GET /animals#parameters/query:cursor',
  })
  const renamed = { ...listPets, summary: 'List animals' }
  expect(after(pets(), pets({ path: '/animals', list: renamed }), '/paths/~1pets/get/summary')).toMatchObject({
    state: 'moved',
    key: 'GET /animals#summary',
  })
  expect(after(pets(), pets({ item: '/pets/{petId}' }), '/paths/~1pets~1{id}/get/responses/200')).toMatchObject({
    state: 'moved',
    key: 'GET /pets/{petId}#responses/200',
  })
})

test('a schema that was renamed and changed has moved if it is clearly the one', () => {
  const changed = { ...pet, description: 'An animal', properties: { ...pet.properties, born: { type: 'string' } } }
  const other = { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } }
  const base = pets({ schemas: { Pet: pet, Rest: { type: 'string' } } })
  const moved = after(base, pets({ schemas: { Animal: changed, Address: other } }), '/components/schemas/Pet')
  expect(moved).toMatchObject({ state: 'moved', key: 'schema:Animal' })
  const twice = after(base, pets({ schemas: { Animal: changed, Beast: changed } }), '/components/schemas/Pet')
  expect(twice).toMatchObject({ state: 'outdated', pointer: '/components/schemas' })
})

test('the same content in one other place has moved; in two it is not certain', () => {
  const shared: Json = { openapi: '3.1.0', paths: { '/pets': { get: { parameters: [limit] } } }, components: {} }
  const head = (parameters: Json): Json => ({
    ...(shared as object),
    paths: { '/pets': { get: {} } },
    components: { parameters },
  })
  expect(after(shared, head({ limit }), '/paths/~1pets/get/parameters/0')).toMatchObject({
    state: 'moved',
    pointer: '/components/parameters/limit',
  })
  expect(after(shared, head({ limit, most: limit }), '/paths/~1pets/get/parameters/0')).toMatchObject({
    state: 'outdated',
    pointer: '/paths/~1pets/get',
  })
})

test('what says too little is not found by its content', () => {
  const schemas = (name: string): Json => ({ Pet: { properties: { [name]: { type: 'string' } } } })
  expect(
    after(
      pets({ schemas: schemas('name') }),
      pets({ schemas: schemas('email') }),
      '/components/schemas/Pet/properties/name',
    ),
  ).toMatchObject({
    state: 'outdated',
    pointer: '/components/schemas/Pet/properties',
  })
})

test('an inline schema of a list that was edited has moved; the list may have another that is new', () => {
  const inline = {
    type: 'object',
    description: 'What a cat has beside a pet',
    properties: { claws: {}, tail: {}, eyes: {} },
  }
  const base = pets({ schemas: { Cat: { allOf: [{ $ref: '#/a' }, inline] } } })
  const edited = { ...inline, properties: { ...inline.properties, fur: {} } }
  const head = pets({ schemas: { Cat: { allOf: [{ type: 'string' }, { $ref: '#/a' }, edited] } } })
  expect(after(base, head, '/components/schemas/Cat/allOf/1/properties/tail')).toMatchObject({
    state: 'moved',
    pointer: '/components/schemas/Cat/allOf/2/properties/tail',
  })
})

test('two items of one name are known by their content', () => {
  const [a, b] = [
    { url: 'https://a.example', description: 'first' },
    { url: 'https://a.example', description: 'second' },
  ]
  expect(after({ servers: [a, b] }, { servers: [b, a] }, '/servers/0')).toMatchObject({
    state: 'anchored',
    pointer: '/servers/1',
  })
  // The other one is gone: the name says enough again, which another key shows.
  expect(after({ servers: [a, b] }, { servers: [b] }, '/servers/1')).toMatchObject({
    state: 'moved',
    pointer: '/servers/0',
  })
  expect(after({ servers: [a, b] }, { servers: [b] }, '/servers/0')).toMatchObject({
    state: 'outdated',
    pointer: '/servers',
  })
})

test('an anchor that was lost comes back with its content only', () => {
  const base = pets({ parameters: [cursor] })
  const [key, nodeDigest] = ['GET /pets#parameters/query:limit', digestValue(limit)]
  const again = (head: Json) => reanchor(base, head, [{ key, nodeDigest, lastKey: null }])[0]
  expect(again(pets())).toEqual({ state: 'anchored', key, pointer: '/paths/~1pets/get/parameters/0' })
  const other = pets({ parameters: [{ ...limit, description: 'Something else' }] })
  expect(again(other)).toEqual({ state: 'outdated', key, pointer: '/paths/~1pets/get/parameters/0' })
  expect(again({ openapi: '3.1.0' })).toEqual({ state: 'outdated', key: '#', pointer: '' })
})

test('a document of which nothing is left keeps its anchors at the root', () => {
  const anchor = anchorAt(pets(), { path: ['paths', '/pets', 'get'], value: listPets })
  expect(reanchor(pets(), [], [{ ...anchor, lastKey: anchor.key }])).toEqual([
    { state: 'outdated', key: '#', pointer: '' },
  ])
})

test('an excerpt is one line of at most 300 characters', () => {
  expect(excerptOf('two\n lines')).toBe('two lines')
  expect(excerptOf({ a: [1, null, 'x'], b: {} })).toBe('{"a": [1, null, "x"], "b": {}}')
  const long = excerptOf(Array.from({ length: 1000 }, () => 'word'))
  expect([long.length, long.endsWith('…')]).toEqual([300, true])
  expect(excerptOf('😀'.repeat(200)).length).toBeLessThanOrEqual(300)
  expect(excerptOf('😀'.repeat(200)).isWellFormed()).toBe(true)
  expect(keyOf([], [])).toBe('#')
})
