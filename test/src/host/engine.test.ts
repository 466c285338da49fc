/** Pages and the executable read, hash and parse alike. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { stringify } from 'yaml'
import * as native from '../../../src/host/engine.ts'
import * as browser from '../../../src/host/browser-engine.ts'

const both = [native, browser]
await browser.engineReady

test('both export the same functions', () => {
  expect(Object.keys(browser).toSorted()).toEqual(Object.keys(native).toSorted())
})

describe('digests are those of their standards', () => {
  test.each(both.map((engine) => [engine]))('%#', (engine) => {
    // FIPS 180-4 by the examples of NIST; the others by the reference implementation of xxHash.
    expect(engine.sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(engine.sha256(new Uint8Array())).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(engine.xxHash32('')).toBe('02cc5d05')
    expect(engine.xxHash64('')).toBe('ef46db3751d8e999')
  })

  test('of any text they are equal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const [first, second] = both.map(({ sha256, xxHash32, xxHash64 }) => [
          sha256(text),
          xxHash32(text),
          xxHash64(text),
        ])
        expect(second).toEqual(first as string[])
      }),
    )
  })
})

test('bytes are the characters of their numbers, however many there are', () => {
  const bytes = Uint8Array.from({ length: 20_000 }, (_, at) => at % 256)
  for (const engine of both) {
    const text = engine.textOfLatin1(bytes)
    expect(text.length).toBe(bytes.length)
    expect(Array.from(text, (c) => c.charCodeAt(0)).every((code, at) => code === at % 256)).toBe(true)
  }
})

describe('YAML', () => {
  test.each([
    ['merge keys', 'a: &a {x: 1, y: 2}\nb:\n  <<: *a\n  y: 3\n'],
    ['words of YAML 1.1', 'a: yes\nb: on\nc: 012\nd: 0o14\ne: 1_000\nf: ~\ng: 2020-01-01\n'],
    ['numbers', 'a: 0x1F\nb: .inf\nc: -.5\nd: 1e3\ne: 12345678901234567890\n'],
    ['a key twice', 'a: 1\nb: 2\na: 3\n'],
    ['blocks', 'a: |\n  one\n   two\n\nb: >-\n  three\n  four\n'],
    ['a BOM and comments', '﻿# hello\na: 1 # there\n'],
  ])('%s', (_, text) => {
    expect(browser.parseYaml(text)).toEqual(native.parseYaml(text))
  })

  test('of any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = stringify(value)
        expect(browser.parseYaml(text)).toEqual(native.parseYaml(text))
      }),
    )
  })

  test.each(['a: [1, 2', 'a: b: c', '\tb: 1', 'a: *b'])('both refuse %j', (text) => {
    for (const engine of both) expect(() => engine.parseYaml(text)).toThrow()
  })
})
