import { describe, expect, test } from 'bun:test'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import type { Json } from '../../../src/kernel/json.ts'

const written = (text: string): string => canonicalJson(JSON.parse(text) as Json)

describe('the vectors of RFC 8785', () => {
  test('section 3.2.2: numbers, texts and literals', () => {
    const input = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`
    expect(written(input)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  test('section 3.2.3: keys in the order of their UTF-16 code units', () => {
    const input = String.raw`{
      "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
    }`
    expect(Object.values(JSON.parse(written(input)) as object)).toHaveLength(7)
    expect([...written(input).matchAll(/:"([^"]+)"/g)].map(([, name]) => name)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  // The bits of a number and its text.
  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('appendix B: the number %s is %s', (bits, text) => {
    const view = new DataView(new ArrayBuffer(8))
    view.setBigUint64(0, BigInt(`0x${bits}`))
    expect(canonicalJson(view.getFloat64(0))).toBe(text)
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('appendix B: %p is refused', (value) => {
    expect(() => canonicalJson(value)).toThrow(RangeError)
  })

  test.each(['"\\ud800"', '"a\\udc00b"', '{"\\ud83d":1}', '["\\ude00\\ud83d"]'])(
    'half of a pair is refused: %s',
    (text) => {
      expect(() => written(text)).toThrow('A text with half of a surrogate pair has no canonical form.')
    },
  )
})

test('a key without a value is left out', () => {
  expect(canonicalJson({ b: 1, a: undefined } as unknown as Json)).toBe('{"b":1}')
})

test('it agrees with another implementation, and equal values have equal texts', () => {
  const shuffle = (value: Json): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => shuffle(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, item]): [string, Json] => [key, shuffle(item)])
        .reverse(),
    )
  }
  const values = fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 })
  fc.assert(
    fc.property(values, (value) => {
      const text = canonicalJson(value as Json)
      expect(text).toBe(canonicalize(value) ?? '')
      expect(canonicalJson(shuffle(value as Json))).toBe(text)
      expect(canonicalJson(JSON.parse(text) as Json)).toBe(text)
    }),
    { numRuns: 300 },
  )
})
