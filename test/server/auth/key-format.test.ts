import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { checksum, looksLikeKey, makeKey, randomBase62, readKey } from '../../../server/auth/key-format.ts'

/** Length of every key: prefix, random part and checksum. */
const keyLength = 4 + 32 + 6

const kinds = ['api', 'agent', 'mcp'] as const

describe('the format of keys', () => {
  test('a new key of each kind reads back with prefix and hash', () => {
    for (const kind of kinds) {
      const key = makeKey(kind)
      expect(key).toHaveLength(keyLength)
      expect(readKey(key)).toEqual({
        kind,
        prefix: key.slice(0, 12),
        hash: new Bun.CryptoHasher('sha256').update(key).digest('hex'),
      })
    }
    expect(makeKey('api').slice(0, 4)).toBe('svk_')
    expect(makeKey('agent').slice(0, 4)).toBe('sva_')
    expect(makeKey('mcp').slice(0, 4)).toBe('svm_')
    expect(makeKey('gateway').slice(0, 4)).toBe('svg_')
  })

  test('the checksum is the CRC-32 in base 62, six characters wide', () => {
    expect(checksum('')).toBe('000000')
    // CRC-32 of "123456789" is 0xCBF43926 = 3421780262.
    expect(checksum('123456789')).toBe('3jZRME')
  })

  test('any single changed character is refused', () => {
    const key = makeKey('api')
    fc.assert(
      fc.property(fc.nat(keyLength - 1), fc.string({ minLength: 1, maxLength: 1 }), (place, character) => {
        fc.pre(key[place] !== character)
        expect(readKey(key.slice(0, place) + character + key.slice(place + 1))).toBeNull()
      }),
    )
  })

  test('two swapped neighbours, a cut key, spaces around it and other texts are refused', () => {
    const key = makeKey('agent')
    for (let place = 4; place < keyLength - 1; place++) {
      const [a, b] = [key[place], key[place + 1]]
      if (a !== b) expect(readKey(key.slice(0, place) + b + a + key.slice(place + 2))).toBeNull()
    }
    for (const text of ['', ' ', key.slice(0, -1), `${key} `, ` ${key}`, `${key}0`, `${key}\n`, key.toUpperCase()]) {
      expect(readKey(text)).toBeNull()
    }
    fc.assert(fc.property(fc.string(), (text) => readKey(text) === null))
  })

  test('keys never repeat and every character of base 62 turns up', () => {
    const keys = Array.from({ length: 2000 }, () => makeKey('mcp'))
    expect(new Set(keys).size).toBe(2000)
    const counts = new Map<string, number>()
    for (const character of randomBase62(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1)
    expect(counts.size).toBe(62)
    // 1000 are expected of each; 200 away would be more than six standard deviations.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(200)
  })

  test('keys are distinguished from tokens by their form', () => {
    expect(looksLikeKey(makeKey('api'))).toBe(true)
    expect(looksLikeKey('svk_broken')).toBe(true)
    expect(looksLikeKey('eyJhbGciOiJFZERTQSJ9.e30.x')).toBe(false)
  })
})
