/** A keyword that a draft does not have says nothing there. */
import { describe, expect, test } from 'bun:test'
import Ajv2019 from 'ajv/dist/2019.js'
import { diff } from '../../../src/diff/diff.ts'
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
