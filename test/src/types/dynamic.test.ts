import { expect, test } from 'bun:test'
import { isObject, type Json, type JsonObject } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import jsonSchema from '../../../src/render/formats/json-schema.ts'
import { isValid } from '../../../src/schema/validate.ts'
import { bundleTypes, type UsedTypes } from '../../../src/types/bundle-types.ts'
import { edgesOf } from '../../../src/types/edges.ts'
import { extractTypes } from '../../../src/types/extract.ts'
import { inlineTypes } from '../../../src/types/inline-types.ts'

const sourceOf = (schemas: Readonly<Record<string, Json>>) => ({
  title: 'Uses',
  version: '1',
  description: null,
  arazzo: null,
  classes: schemas,
  openapi: { openapi: '3.1.0', info: { title: 'Uses', version: '1' }, paths: {}, components: { schemas } },
})

const typesOf = (schemas: Readonly<Record<string, Json>>): UsedTypes =>
  Object.fromEntries(
    Object.entries(schemas).map(([ref, schema]) => {
      const name = ref.replace(/^.*\//, '').replace(/@.*$/, '')
      return [ref, { name, identity: ref, schema: JSON.stringify(schema) }]
    }),
  )

/** What the types accept as schema resources of one document: the meaning that every other form must have. */
const asResources = (schemas: Readonly<Record<string, Json>>, use: Json) => {
  const $defs = Object.fromEntries(
    Object.entries(schemas).map(([ref, schema], n) => [`t${n}`, { $id: ref, ...(schema as JsonObject) }]),
  )
  return (value: Json) => isValid({ ...(use as JsonObject), $defs }, value)
}

const tree = {
  $dynamicAnchor: 'node',
  type: 'object',
  properties: { data: true, children: { type: 'array', items: { $dynamicRef: '#node' } } },
}
const recursiveTree = {
  $schema: 'https://json-schema.org/draft/2019-09/schema',
  $recursiveAnchor: true,
  type: 'object',
  properties: { data: true, children: { type: 'array', items: { $recursiveRef: '#' } } },
}
const misspelled = { children: [{ daat: 1 }] }
const right = { children: [{ data: 1, children: [] }] }

const cases: readonly {
  readonly name: string
  readonly types: Readonly<Record<string, Json>>
  readonly use: JsonObject
  readonly values: readonly (readonly [Json, boolean])[]
}[] = [
  {
    name: 'an anchor that another type takes over',
    types: {
      'svc:t/Strict': { $dynamicAnchor: 'node', $ref: 'svc:t/Tree', unevaluatedProperties: false },
      'svc:t/Tree': tree,
    },
    use: { $ref: 'svc:t/Strict' },
    values: [
      [right, true],
      [misspelled, false],
    ],
  },
  {
    name: 'the same type by itself',
    types: { 'svc:t/Tree': tree },
    use: { $ref: 'svc:t/Tree' },
    values: [
      [right, true],
      [misspelled, true],
      [{ children: [1] }, false],
    ],
  },
  {
    name: 'through a type that has no anchors',
    types: {
      'svc:t/Strict': { $dynamicAnchor: 'node', $ref: 'svc:t/Between', unevaluatedProperties: false },
      'svc:t/Between': { title: 'Between', $ref: 'svc:t/Tree' },
      'svc:t/Tree': tree,
    },
    use: { $ref: 'svc:t/Strict' },
    values: [
      [right, true],
      [misspelled, false],
    ],
  },
  {
    name: 'a dynamic reference of the document to a type',
    types: { 'svc:t/Tree': tree },
    use: { $dynamicRef: 'svc:t/Tree#node' },
    values: [
      [right, true],
      [{ children: [1] }, false],
    ],
  },
  {
    name: 'a dynamic reference of the document to a type without anchors',
    types: { 'svc:t/Text': { type: 'string' } },
    use: { $dynamicRef: 'svc:t/Text' },
    values: [
      ['a', true],
      [1, false],
    ],
  },
  {
    name: 'recursion of draft 2019-09, in which another type takes over',
    types: {
      'svc:t/Strict': {
        $schema: 'https://json-schema.org/draft/2019-09/schema',
        $recursiveAnchor: true,
        $ref: 'svc:t/Tree',
        unevaluatedProperties: false,
      },
      'svc:t/Tree': recursiveTree,
    },
    use: { $ref: 'svc:t/Strict' },
    values: [
      [right, true],
      [misspelled, false],
    ],
  },
  {
    name: 'recursion of draft 2019-09 without an anchor',
    types: { 'svc:t/Plain': { ...recursiveTree, $recursiveAnchor: false } },
    use: { $ref: 'svc:t/Plain' },
    values: [
      [right, true],
      [{ children: [1] }, false],
    ],
  },
  {
    name: 'identifiers within a type, and references between them',
    types: {
      'svc:t/List': {
        $defs: {
          open: {
            $id: 'https://example.com/open',
            $defs: { any: { $dynamicAnchor: 'item' } },
            items: { $dynamicRef: '#item' },
          },
        },
        $ref: 'https://example.com/open',
        $comment: 'closed by the anchor below',
      },
      'svc:t/Numbers': { $ref: 'svc:t/List', $defs: { number: { $dynamicAnchor: 'item', type: 'number' } } },
    },
    use: { $ref: 'svc:t/Numbers' },
    values: [
      [[1], true],
      [['a'], false],
    ],
  },
]

test('dynamic anchors mean the same in a bundle, inlined and in JSON Schema as in the registry', () => {
  for (const { name, types, use, values } of cases) {
    const original = asResources(types, use)
    for (const write of [bundleTypes, inlineTypes]) {
      const whole = write(sourceOf({ Use: use }), typesOf(types))
      const components = whole.openapi.components as JsonObject
      const inApi = (value: Json) => isValid({ openapi: '3.1.0', $ref: '#/components/schemas/Use', components }, value)
      const document = jsonSchema.ofClass(whole, 'Use') as JsonObject
      const outcome = values.map(([value]) => [original(value), inApi(value), isValid(document, value)])
      expect([name, write.name, outcome]).toEqual([name, write.name, values.map(([, fits]) => [fits, fits, fits])])
    }
  }
})

test('a type keeps its own identifier; another revision of it gets the reference, and plain types none', () => {
  const types = {
    'svc:t/Tree': { $id: 'https://example.com/tree', ...tree },
    'svc:t/Tree@1': { $id: 'https://example.com/tree', ...tree, title: 'Old' },
    'svc:t/Plain': { $id: 'https://example.com/plain', $anchor: 'here', type: 'string' },
  }
  const { openapi } = bundleTypes(
    sourceOf({ A: { $ref: 'svc:t/Tree' }, B: { $ref: 'svc:t/Tree@1' }, C: { $ref: 'svc:t/Plain' } }),
    typesOf(types),
  )
  const { schemas } = openapi.components as { schemas: Record<string, JsonObject> }
  expect(Object.entries(schemas).map(([name, it]) => [name, it.$id ?? it.$ref ?? null])).toEqual([
    ['A', '#/components/schemas/Tree'],
    ['B', '#/components/schemas/Tree_2'],
    ['C', '#/components/schemas/Plain'],
    ['Tree', 'https://example.com/tree'],
    ['Tree_2', 'svc:t/Tree@1'],
    ['Plain', null],
  ])
  expect(schemas['Plain']).toEqual({ type: 'string' })
})

const pets = {
  'svc:t/Pet': {
    type: 'object',
    required: ['kind'],
    discriminator: { propertyName: 'kind', mapping: { dog: 'svc:t/Dog', cat: 'Cat', own: '#/$defs/own' } },
    $defs: { own: { type: 'object' } },
  },
  'svc:t/Dog': { allOf: [{ $ref: 'svc:t/Pet' }], properties: { barks: { type: 'boolean' } } },
}

test('mappings of discriminators name the schemas of the types in the document', () => {
  const own = { Dog: { type: 'string' }, Use: { $ref: 'svc:t/Pet' } }
  const bundled = bundleTypes(sourceOf(own), typesOf(pets)).openapi.components as {
    schemas: Record<string, JsonObject>
  }
  expect(bundled.schemas['Pet']?.discriminator).toEqual({
    propertyName: 'kind',
    // "Cat" never means a schema of the document that is called so.
    mapping: { dog: '#/components/schemas/Dog_2', cat: './Cat', own: '#/components/schemas/Pet/$defs/own' },
  })
  expect(Object.keys(bundled.schemas)).toEqual(['Dog', 'Use', 'Pet', 'Dog_2'])
  const inlined = inlineTypes(sourceOf(own), typesOf(pets)).openapi.components as {
    schemas: Record<string, JsonObject>
  }
  expect(Object.keys(inlined.schemas)).toEqual(['Dog', 'Use', 'Pet', 'Dog_2'])
})

test('mappings of a document name types, and choices stay schemas that have names', () => {
  const types = { 'svc:t/A': { properties: { k: { const: 'a' } } }, 'svc:t/B': { properties: { k: { const: 'b' } } } }
  const use = {
    oneOf: [{ $ref: 'svc:t/A' }, { $ref: 'svc:t/B' }],
    discriminator: { propertyName: 'k', mapping: { a: 'svc:t/A', b: 'svc:t/B' } },
  }
  for (const write of [bundleTypes, inlineTypes]) {
    const { openapi } = write(sourceOf({ Use: use }), typesOf(types))
    const components = isObject(openapi.components) ? openapi.components : {}
    expect([write.name, components.schemas]).toEqual([
      write.name,
      {
        Use: {
          oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }],
          discriminator: { propertyName: 'k', mapping: { a: '#/components/schemas/A', b: '#/components/schemas/B' } },
        },
        A: { properties: { k: { const: 'a' } } },
        B: { properties: { k: { const: 'b' } } },
      },
    ])
  }
})

test('what a mapping names is a reference of the type', () => {
  expect(edgesOf(pets['svc:t/Pet']).map(({ pointer, target, key }) => [pointer, target, key])).toEqual([
    ['/discriminator/mapping/dog', 'svc:t/Dog', 'svc:t/Dog'],
    ['/discriminator/mapping/cat', 'Cat', null],
  ])
})

test('types of one document keep their anchors and name each other in mappings', () => {
  const text = JSON.stringify({
    $defs: {
      Pet: { discriminator: { propertyName: 'k', mapping: { a: 'Dog', b: '#/$defs/Cat' } }, properties: { k: true } },
      Dog: { $dynamicAnchor: 'dog', properties: { friend: { $dynamicRef: '#dog' } } },
      Cat: { items: { $dynamicRef: '#dog' } },
    },
  })
  const found = extractTypes(parseDocument(text, { source: 'a.json', syntax: 'json' }), {
    kind: 'json-schema',
    namespace: 't',
    name: null,
    root: false,
    bases: [],
    names: {},
  })
  if ('refused' in found) throw new Error(found.reason)
  expect(Object.fromEntries(found.types.map(({ name, schema }) => [name, schema]))).toEqual({
    Pet: { discriminator: { propertyName: 'k', mapping: { a: 'svc:t/Dog', b: 'svc:t/Cat' } }, properties: { k: true } },
    Dog: { $dynamicAnchor: 'dog', properties: { friend: { $dynamicRef: '#dog' } } },
    Cat: { items: { $dynamicRef: 'svc:t/Dog#dog' } },
  })
})
