/** A keyword that a draft does not have says nothing there. */
import { describe, expect, test } from 'bun:test'
import Ajv2019 from 'ajv/dist/2019.js'
import { diff } from '../../../src/diff/diff.ts'
import type { Document } from '../../../src/document/document.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { isValid } from '../../../src/schema/validate.ts'

const drafts = {
  'draft-04': 'http://json-schema.org/draft-04/schema#',
  'draft-06': 'http://json-schema.org/draft-06/schema#',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
} as const
type Draft = keyof typeof drafts

const words: readonly (readonly [since: Draft, words: Readonly<Record<string, Json>>, refused: Json])[] = [
  ['draft-06', { const: 1 }, 2],
  ['draft-06', { contains: { type: 'string' } }, []],
  ['draft-06', { propertyNames: { maxLength: 1 } }, { aa: 1 }],
  ['draft-07', { if: true, then: { type: 'string' } }, 1],
  ['2019-09', { dependentRequired: { a: ['b'] } }, { a: 1 }],
  ['2019-09', { dependentSchemas: { a: { required: ['b'] } } }, { a: 1 }],
  ['2019-09', { properties: { a: true }, unevaluatedProperties: false }, { b: 1 }],
  ['2019-09', { unevaluatedItems: false }, [1]],
  ['2019-09', { contains: { type: 'number' }, minContains: 2 }, [1]],
  ['2020-12', { prefixItems: [{ type: 'string' }] }, [1]],
]
const order = Object.keys(drafts) as readonly Draft[]
const without = (all: Readonly<Record<string, Json>>): Json =>
  Object.fromEntries(Object.entries(all).filter(([word]) => word === 'properties'))

describe('keywords by draft', () => {
  for (const draft of order)
    for (const [since, all, refused] of words)
      test(`${Object.keys(all).join(' and ')} in ${draft}`, () => {
        const $schema = drafts[draft]
        // `contains` and `minContains` came at different times.
        const isKnown = order.indexOf(draft) >= order.indexOf(since)
        const plain = 'minContains' in all && draft !== 'draft-04' ? { contains: all.contains! } : without(all)
        const read = (schema: Json) =>
          parseDocument(JSON.stringify({ $schema, ...(schema as object) }), { source: 'schema.json' })
        const { verdict, witness } = diff(read(plain), read(all))
        expect([verdict, witness === null]).toEqual(isKnown ? ['breaking', false] : ['safe', true])
        expect(isValid({ $schema, ...all }, refused)).toBe(!isKnown)
      })
})

test('ajv ignores prefixItems of 2019-09 as well', () => {
  const ajv = new Ajv2019({ strict: false, logger: false })
  expect(ajv.validate({ prefixItems: [{ type: 'string' }] }, [1])).toBe(true)
})

describe('a dialect that is not published', () => {
  const dialect = 'https://schemas.example.com/dialect'
  const schemaOf = (schema: object, $schema = dialect) =>
    parseDocument(JSON.stringify({ $schema, type: 'object', ...schema }), { source: 'schema.json' })
  const words = (most: number) => schemaOf({ properties: { a: { type: 'string', maxWords: most } } })

  test('leaves a change of its own keywords undecided, and decides everything else', () => {
    expect(diff(words(5), words(3)).changes.map(({ classification }) => classification)).toEqual(['unknown'])
    expect(diff(words(5), words(5)).changes).toEqual([])
    const [four, three] = [4, 3].map((maxLength) => schemaOf({ properties: { b: { maxLength } } })) as [
      Document,
      Document,
    ]
    expect(diff(four, three).verdict).toBe('breaking')
    expect(diff(three, four).verdict).toBe('safe')
  })

  test('is known by a published one, whose unknown keywords say nothing', () => {
    const known = (most: number) => schemaOf({ maxWords: most }, drafts['2020-12'])
    expect(diff(known(5), known(3)).verdict).toBe('safe')
  })

  test('of OpenAPI is named by jsonSchemaDialect', () => {
    const api = (maxWords: number, jsonSchemaDialect: string) =>
      parseDocument(
        JSON.stringify({
          openapi: '3.1.0',
          jsonSchemaDialect,
          info: { title: 'a', version: '1' },
          paths: {
            '/a': {
              post: {
                requestBody: { content: { 'application/json': { schema: { type: 'string', maxWords } } } },
                responses: { 200: { description: 'ok' } },
              },
            },
          },
        }),
        { source: 'api.json' },
      )
    const classes = (of: string): string[] => diff(api(5, of), api(3, of)).changes.map((it) => it.classification)
    expect(classes(dialect)).toEqual(['unknown'])
    expect(classes('https://spec.openapis.org/oas/3.1/dialect/base')).not.toContain('unknown')
  })
})
