import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { hasMoreValuesThan, nestsDeeperThan } from '../../../src/document/json-depth.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

test('the depth of any value, brackets in texts aside', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(7), (value, limit) => {
      expect(nestsDeeperThan(bytes(JSON.stringify(value)), limit)).toBe(depthOf(value) > limit)
    }),
  )
  expect(nestsDeeperThan(bytes(String.raw`{"a":"[[[\"{{","b\\":[1]}`), 2)).toBe(false)
  expect(nestsDeeperThan(bytes(String.raw`{"a":"[[[\"{{","b\\":[1]}`), 1)).toBe(true)
  expect(nestsDeeperThan(bytes('"[[['), 1)).toBe(false)
})

test('ten million bytes are read, however they are quoted', () => {
  for (const text of ['['.repeat(10_000_000), JSON.stringify(['"\\'.repeat(2_000_000)]), `"${'\\'.repeat(10_000_000)}`])
    expect(nestsDeeperThan(bytes(text), 1_000_000_000)).toBe(false)
})

test('values and keys are counted without being built', () => {
  const small = bytes('{"a": [1, 2, {"b": "x,y:[{", "c": ""}]}')
  // The opening signs, and one for each comma and colon behind them.
  expect([hasMoreValuesThan(small, 10), hasMoreValuesThan(small, 9)]).toEqual([false, true])
  const many = bytes(`[${'{},'.repeat(999)}{}]`)
  expect([hasMoreValuesThan(many, 2001), hasMoreValuesThan(many, 2000)]).toEqual([false, true])
  expect(hasMoreValuesThan(bytes(JSON.stringify('{,['.repeat(1_000_000))), 1)).toBe(false)
})
