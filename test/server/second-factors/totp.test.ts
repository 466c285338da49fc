import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  codeOf,
  findPair,
  findStep,
  fromBase32,
  newSecret,
  otpauthUri,
  stepOf,
  toBase32,
} from '../../../server/second-factors/totp.ts'

/** The secret of the test vectors of RFC 4226 (appendix D) and RFC 6238 (appendix B). */
const key = Buffer.from('12345678901234567890')
const secret = toBase32(key)
const at = (step: number): number => step * 30_000

describe('codes', () => {
  test('are those of RFC 4226, appendix D', () => {
    const codes = Array.from({ length: 10 }, (_, counter) => codeOf(key, counter))
    expect(codes).toEqual([
      '755224',
      '287082',
      '359152',
      '969429',
      '338314',
      '254676',
      '287922',
      '162583',
      '399871',
      '520489',
    ])
  })

  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('are those of RFC 6238, appendix B, at second %d', (seconds, code) => {
    expect(codeOf(key, stepOf(seconds * 1000), 8)).toBe(code)
  })

  test('are accepted one step early and one step late, and written with blanks or a hyphen', () => {
    const now = at(1000) + 29_999
    const steps = [998, 999, 1000, 1001, 1002].map((step) => findStep(secret, codeOf(key, step), now, null))
    expect(steps).toEqual([null, 999, 1000, 1001, null])
    const code = codeOf(key, 1000)
    const forms = [`${code.slice(0, 3)} ${code.slice(3)}`, `${code.slice(0, 3)}-${code.slice(3)}`, ` ${code} `]
    expect(forms.map((form) => findStep(secret, form, now, null))).toEqual([1000, 1000, 1000])
    for (const form of ['', '12345', `${code}0`, code.slice(1), 'abcdef', '１２３４５６'])
      expect([form, findStep(secret, form, now, null)]).toEqual([form, null])
  })

  test('are accepted as two consecutive ones up to three steps after the first, in their order and once', () => {
    const pair = (first: number, second = first + 1): [string, string] => [codeOf(key, first), codeOf(key, second)]
    const steps = [995, 996, 997, 998, 999, 1000, 1001]
    expect(steps.map((step) => findPair(secret, pair(step), at(1000), null))).toEqual([
      null,
      null,
      998,
      999,
      1000,
      1001,
      null,
    ])
    const others = [pair(1000, 1000), pair(1000, 999), pair(999, 1001), pair(998, 1000)]
    expect(others.map((codes) => findPair(secret, codes, at(1000), null))).toEqual([null, null, null, null])
    const [first, second] = pair(999)
    for (const codes of [
      [first, ''],
      ['', second],
      [`${first}0`, second],
      [first, 'abcdef'],
    ] as const)
      expect([codes, findPair(secret, codes, at(1000), null)]).toEqual([codes, null])
    // A pair whose first code was accepted alone is used up, as are those before it.
    expect([998, 999, 1000].map((step) => findPair(secret, pair(step), at(1000), 999))).toEqual([null, null, 1001])
  })

  test('are not accepted again, nor any before the last one', () => {
    const found = [999, 1000, 1001].map((step) => findStep(secret, codeOf(key, step), at(1000), 1000))
    expect(found).toEqual([null, null, 1001])
  })

  test('of any sequence of attempts are accepted in rising steps, each once', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 8 }))), (attempts) => {
        let last: number | null = null
        const accepted: number[] = []
        for (const [now, step] of attempts) {
          const found: number | null = findStep(secret, codeOf(key, 5000 + step), at(5000 + now), last)
          if (found === null) continue
          expect(Math.abs(found - 5000 - now)).toBeLessThanOrEqual(1)
          accepted.push(found)
          last = found
        }
        expect(accepted).toEqual([...new Set(accepted)].toSorted((a, b) => a - b))
      }),
    )
  })
})

describe('secrets', () => {
  test('are written in base32 as RFC 4648, section 10, writes it', () => {
    const texts = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar']
    expect(texts.map((it) => toBase32(Buffer.from(it)))).toEqual([
      '',
      'MY',
      'MZXQ',
      'MZXW6',
      'MZXW6YQ',
      'MZXW6YTB',
      'MZXW6YTBOI',
    ])
  })

  test('are read as they were written', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        expect(fromBase32(toBase32(bytes))).toEqual(Buffer.from(bytes))
      }),
    )
    expect(() => fromBase32('MZXW6!')).toThrow('not in base32')
  })

  test('have 160 bits, and no two are the same', () => {
    const made = Array.from({ length: 100 }, newSecret)
    expect([new Set(made).size, new Set(made.map((it) => fromBase32(it).length))]).toEqual([100, new Set([20])])
  })

  test('are in an address that apps read', () => {
    expect(otpauthUri('MZXW6', 'svc (svc.example)', 'ann+x@example.com')).toBe(
      'otpauth://totp/svc%20(svc.example):ann%2Bx%40example.com?secret=MZXW6&issuer=svc%20(svc.example)&algorithm=SHA1&digits=6&period=30',
    )
  })
})
