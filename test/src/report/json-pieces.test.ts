import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { jsonPieces } from '../../../src/report/json-pieces.ts'

const whole = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

test('the pieces are the text that JSON.stringify gives', () => {
  const json = fc.jsonValue({ maxDepth: 3 })
  const item = fc.oneof(json, fc.constant(undefined))
  const member = fc.oneof(item, fc.array(item, { minLength: 60, maxLength: 140 }))
  fc.assert(
    fc.property(fc.dictionary(fc.string(), member), (value) => {
      expect([...jsonPieces(value)].join('')).toBe(whole(value))
    }),
    { numRuns: 60 },
  )
})

test('a long list comes in several pieces, none of them much longer than one item has to be', () => {
  const items = Array.from({ length: 2000 }, (_, at) => ({ at, text: 'x'.repeat(1000) }))
  const pieces = [...jsonPieces({ summary: { of: items.length }, changes: items, error: null })]
  expect(pieces.length).toBeGreaterThan(4)
  expect(Math.max(...pieces.map((it) => it.length))).toBeLessThan(400_000)
  expect(pieces.join('')).toBe(whole({ summary: { of: items.length }, changes: items, error: null }))
})

test('what is small is one piece', () => {
  expect([...jsonPieces({})]).toEqual(['{}\n'])
  expect([...jsonPieces({ a: [], b: undefined, c: {} })]).toEqual(['{\n  "a": [],\n  "c": {}\n}\n'])
})
