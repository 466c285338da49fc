import { expect, test } from 'bun:test'
import { isValid } from '../../../src/schema/validate.ts'
import { bundleTypes } from '../../../src/types/bundle-types.ts'
import { inlineTypes } from '../../../src/types/inline-types.ts'
import { isObject, type Json, type JsonObject } from '../../../src/kernel/json.ts'

interface Case {
  readonly name: string
  readonly schema: JsonObject
  readonly valid: readonly Json[]
  readonly invalid: readonly Json[]
}

/** Every way in which a schema refers to a part of itself. */
const cases: readonly Case[] = [
  {
    name: 'the whole schema',
    schema: { properties: { a: { $ref: '#' } }, additionalProperties: false },
    valid: [{ a: { a: {} } }],
    invalid: [{ a: { b: 1 } }],
  },
  {
    name: 'pointers with escapes',
    schema: {
      $defs: { 'a~b': { type: 'integer' }, 'a/b': { type: 'string' }, 'a%b': { type: 'null' } },
      properties: { t: { $ref: '#/$defs/a~0b' }, s: { $ref: '#/$defs/a~1b' }, p: { $ref: '#/$defs/a%25b' } },
    },
    valid: [{ t: 1, s: '', p: null }],
    invalid: [{ t: '' }, { s: 1 }, { p: 1 }],
  },
  {
    name: 'anchors',
    schema: { $defs: { a: { $anchor: 'here', type: 'integer' } }, items: { $ref: '#here' } },
    valid: [[1]],
    invalid: [['a']],
  },
  {
    name: 'identifiers within, and references relative to them',
    schema: {
      $id: 'https://example.com/root.json',
      $defs: { a: { $id: 'dir/a.json', $defs: { b: { type: 'integer' } }, items: { $ref: '#/$defs/b' } } },
      properties: { whole: { $ref: 'dir/a.json' }, part: { $ref: 'https://example.com/dir/a.json#/$defs/b' } },
    },
    valid: [{ whole: [1], part: 1 }],
    invalid: [{ whole: ['a'] }, { part: 'a' }],
  },
  {
    name: 'keywords beside a reference',
    schema: {
      $defs: { closed: { properties: { a: true }, unevaluatedProperties: false } },
      $ref: '#/$defs/closed',
      properties: { b: true },
    },
    valid: [{ a: 1 }],
    invalid: [{ b: 1 }],
  },
  {
    name: 'what only looks like a reference',
    schema: { $defs: { a: { type: 'string' } }, enum: [{ $ref: '#/$defs/a' }] },
    valid: [{ $ref: '#/$defs/a' }],
    invalid: ['text'],
  },
  {
    name: 'a property that is called $ref',
    schema: { properties: { $ref: { $ref: '#/$defs/text' } }, $defs: { text: { type: 'string' } } },
    valid: [{ $ref: 'a' }],
    invalid: [{ $ref: 2 }],
  },
]

const sourceOf = (use: Json) => ({
  title: 'Uses',
  version: '1',
  description: null,
  arazzo: null,
  classes: {},
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Uses', version: '1' },
    paths: {},
    components: { schemas: { Use: use } },
  },
})

test('a schema means the same in the registry, in a bundle and inlined', () => {
  for (const { name, schema, valid, invalid } of cases) {
    const types = { 'svc:t/Case': { name: 'Case', identity: '1', schema: JSON.stringify(schema) } }
    for (const write of [bundleTypes, inlineTypes]) {
      const { openapi } = write(sourceOf({ $ref: 'svc:t/Case' }), types)
      const components = isObject(openapi.components) ? openapi.components : {}
      const holds = (value: Json) => isValid({ $ref: '#/components/schemas/Use', components }, value)
      const outcome = [...valid, ...invalid].map((value) => [isValid(schema, value), holds(value)])
      expect([name, write.name, outcome]).toEqual([
        name,
        write.name,
        [...valid.map(() => [true, true]), ...invalid.map(() => [false, false])],
      ])
    }
  }
})

test('what is beside a reference to a type still holds where the type is inlined', () => {
  const types = {
    'svc:t/Closed': { name: 'Closed', identity: '1', schema: '{"properties":{"a":true},"additionalProperties":false}' },
  }
  const { openapi } = inlineTypes(
    sourceOf({ $ref: 'svc:t/Closed', properties: { b: true }, description: 'Its own' }),
    types,
  )
  expect(openapi.components).toEqual({
    schemas: {
      Use: {
        allOf: [{ properties: { a: true }, additionalProperties: false }],
        properties: { b: true },
        description: 'Its own',
      },
    },
  })
})

test('types that refer to each other ten times are not written out without end', () => {
  const text = 'x'.repeat(500)
  const level = (at: number): JsonObject => ({
    description: text,
    properties:
      at === 0 ? {} : Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`p${n}`, { $ref: `svc:t/L${at - 1}` }])),
  })
  const types = Object.fromEntries(
    Array.from({ length: 26 }, (_, at) => {
      const name = `L${at}`
      return [`svc:t/${name}`, { name, identity: name, schema: JSON.stringify(level(at)) }]
    }),
  )
  const inlined = JSON.stringify(inlineTypes(sourceOf({ $ref: 'svc:t/L25' }), types).openapi)
  expect(inlined.length).toBeLessThan(12_000_000)
  // What is not written out is there once, and everything that is named is there.
  const names = Object.keys((JSON.parse(inlined) as { components: { schemas: JsonObject } }).components.schemas)
  const referred = [...inlined.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
  expect(referred.filter((name) => !names.includes(name ?? ''))).toEqual([])
})
