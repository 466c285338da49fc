import { describe, expect, test } from 'bun:test'
import { dereference, TooLarge } from '../../../src/convert/dereference.ts'
import type { Document } from '../../../src/document/document.ts'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'

const read = (value: Json): Document => parseDocument(JSON.stringify(value), { source: 'a.json' })

const api = (version: string, schemas: JsonObject, more: JsonObject = {}): Document =>
  read({ openapi: version, info: { title: 'A', version: '1' }, paths: {}, components: { schemas, ...more } })

const schemasOf = (document: Document): Json =>
  (dereference(document).value as { readonly components: JsonObject }).components.schemas ?? null

describe('references', () => {
  test('become what they refer to, through each other', () => {
    const schemas = {
      A: { items: { $ref: '#/components/schemas/B' } },
      B: { $ref: '#/components/schemas/C' },
      C: { type: 'string' },
    }
    expect(schemasOf(api('3.1.0', schemas))).toEqual({
      A: { items: { type: 'string' } },
      B: { type: 'string' },
      C: { type: 'string' },
    })
  })

  test('of a cycle stay within it and are named, and go where the cycle begins', () => {
    const node = { properties: { next: { $ref: '#/components/schemas/Node' } } }
    const document = api('3.1.0', { List: { items: { $ref: '#/components/schemas/Node' } }, Node: node })
    expect(dereference(document)).toEqual({
      value: { ...(document.value as JsonObject), components: { schemas: { List: { items: node }, Node: node } } },
      cycles: ['#/components/schemas/Node'],
      identified: [],
      discriminated: [],
    })
  })

  test('to a place that contains them stay', () => {
    const schemas = { A: { properties: { up: { $ref: '#/components/schemas/A/properties' } } } }
    expect(dereference(api('3.1.0', schemas)).cycles).toEqual(['#/components/schemas/A/properties'])
  })

  test('to schemas with identifiers, and dynamic ones, stay', () => {
    const document = api('3.1.0', {
      A: { $ref: 'https://example.com/b' },
      B: { $id: 'https://example.com/b', items: { $dynamicRef: '#node' } },
    })
    expect(dereference(document)).toEqual({
      value: document.value,
      cycles: [],
      identified: ['#node', 'https://example.com/b'],
      discriminated: [],
    })
  })

  test('that a discriminator selects stay, the schemas that they name lose theirs', () => {
    const name = { type: 'string' }
    const cat = {
      allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { name: { $ref: '#/components/schemas/Name' } } }],
    }
    const pet = { discriminator: { propertyName: 'kind' } }
    const any = { oneOf: [{ $ref: '#/components/schemas/Cat' }], discriminator: { propertyName: 'kind' } }
    const made = dereference(api('3.1.0', { Any: any, Cat: cat, Pet: pet, Name: name }))
    expect(made.discriminated).toEqual(['#/components/schemas/Cat', '#/components/schemas/Pet'])
    expect((made.value as { components: JsonObject }).components.schemas).toEqual({
      Any: any,
      Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { name } }] },
      Pet: pet,
      Name: name,
    })
  })

  test('in examples and properties of that name are data', () => {
    const schemas = {
      A: { properties: { $ref: { type: 'string' } }, example: { $ref: '#/components/schemas/B' } },
      B: {},
    }
    expect(schemasOf(api('3.1.0', schemas))).toEqual(schemas)
  })
})

describe('what is beside a reference', () => {
  const text = { type: 'string', description: 'old' }
  const beside = (more: JsonObject): JsonObject => ({ A: { $ref: '#/components/schemas/T', ...more }, T: text })

  test('is ignored in OpenAPI 3.0', () => {
    expect(schemasOf(api('3.0.3', beside({ description: 'new', maxLength: 3 })))).toEqual({ A: text, T: text })
  })

  test('replaces annotations, and applies in addition otherwise', () => {
    expect(schemasOf(api('3.1.0', beside({ description: 'new' })))).toEqual({
      A: { ...text, description: 'new' },
      T: text,
    })
    expect(schemasOf(api('3.1.0', beside({ maxLength: 3, allOf: [{ minLength: 1 }] })))).toEqual({
      A: { maxLength: 3, allOf: [text, { minLength: 1 }] },
      T: text,
    })
  })

  test('counts as summary and description alone where the reference is no schema', () => {
    const limit = { name: 'limit', in: 'query', schema: true }
    const document = api(
      '3.1.0',
      {},
      { parameters: { L: limit, M: { $ref: '#/components/parameters/L', description: 'Most', required: true } } },
    )
    expect(((dereference(document).value as { components: JsonObject }).components.parameters as JsonObject).M).toEqual(
      {
        ...limit,
        description: 'Most',
      },
    )
  })

  test('of a path item are its own fields', () => {
    const item = { get: { responses: { 200: { description: 'ok' } } } }
    const paths = { '/a': { $ref: '#/paths/~1b', summary: 'A' }, '/b': item }
    const document = read({ openapi: '3.0.3', info: { title: 'A', version: '1' }, paths })
    expect((dereference(document).value as JsonObject).paths).toEqual({ '/a': { ...item, summary: 'A' }, '/b': item })
  })
})

describe('bounds', () => {
  test('a chain of references of any length takes no stack, and may not nest deeper than documents', () => {
    const chain = (count: number, link: (ref: string) => Json): JsonObject =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `S${at}`,
          at + 1 === count ? {} : link(`#/components/schemas/S${at + 1}`),
        ]),
      )
    expect(
      schemasOf(
        api(
          '3.1.0',
          chain(20_000, ($ref) => ({ $ref })),
        ),
      ),
    ).toEqual(chain(20_000, () => ({})))
    expect(() =>
      dereference(
        api(
          '3.1.0',
          chain(20_000, ($ref) => ({ items: { $ref } })),
        ),
      ),
    ).toThrow(new TooLarge('without references the document would nest deeper than 512 levels'))
  })

  test('a document that would double with each schema is refused', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `S${at}`,
        at === 39 ? {} : { anyOf: [1, 2].map(() => ({ $ref: `#/components/schemas/S${at + 1}` })) },
      ]),
    )
    expect(() => dereference(api('3.1.0', schemas))).toThrow(
      new TooLarge('without references the document would have more than 500,000 values'),
    )
  })
})
