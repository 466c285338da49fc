import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  asOperand,
  Inexpressible,
  literal,
  translatePattern,
  type PatternOptions,
} from '../../../src/gateway/pattern.ts'
import { patternText, regularSource, runtimePattern } from '../../fixtures/patterns.ts'

const said = (source: string, options: PatternOptions): string => {
  try {
    return asOperand(translatePattern(source, options), options.anchors)
  } catch (error) {
    if (error instanceof Inexpressible) return error.message
    throw error
  }
}
const inCharacters = (source: string): string => said(source, { alphabet: 'unicode' })
const inBytes = (source: string): string => said(source, { alphabet: 'bytes' })

/** An expression for an engine as the runtime can run it: RE2 over characters, PCRE over bytes. */
const run = (operand: string, text: string, { alphabet }: PatternOptions): boolean => {
  const ends = operand.replaceAll('\\A', '^').replaceAll('\\z', '$')
  if (alphabet === 'unicode') return new RegExp(ends.replaceAll('\\x{', '\\u{'), 'u').test(text)
  return new RegExp(ends).test(Buffer.from(text).toString('latin1'))
}

describe('a pattern', () => {
  for (const [source, characters, bytes] of [
    ['^a\\.b$', '\\A(?:a\\x2eb)\\z', '\\A(?:a\\x2eb)\\z'],
    ['\\ba\\B', '\\ba\\B', '\\ba\\B'],
    ['\\cA', '\\x01', '\\x01'],
    ['[]', '[^\\x{0}-\\x{10ffff}]', '[^\\x00-\\xff]'],
    ['(?:a|b)*', '(?:a|b)*', '(?:a|b)*'],
    ['é', '\\x{0000e9}', '(?:\\xc3\\xa9)'],
    ['é+', '\\x{0000e9}+', '(?:(?:\\xc3\\xa9))+'],
    ['[é]', '\\x{0000e9}', '(?:\\xc3\\xa9)'],
    [
      '[^/]',
      '[\\x00-\\x2e0-\\x{10ffff}]',
      '(?:[\\x00-\\x2e0-\\x7f]|[\\xc0-\\xff][\\x80-\\xbf]*(?![\\x80-\\xbf])|[\\x80-\\xbf])',
    ],
    ['(?<year>\\d{4})', '[0-9]{4}', '[0-9]{4}'],
    ['x{2}?', 'x{2}', 'x{2}'],
  ] as const)
    test(`/${source}/ for each engine`, () => {
      expect([inCharacters(source), inBytes(source)]).toEqual([characters, bytes])
    })

  test('with a property of Unicode has its characters, as far as the engine sees characters', () => {
    expect(inCharacters('\\p{Script=Thai}')).toBe('[\\x{000e01}-\\x{000e3a}\\x{000e40}-\\x{000e5b}]')
    expect(translatePattern('\\p{L}', { alphabet: 'unicode' }).exact).toBe(true)
    expect(translatePattern('\\p{L}', { alphabet: 'bytes' }).exact).toBe(false)
  })

  test('is exact over bytes where it names one character, or none beyond ASCII', () => {
    const exact = (source: string) => translatePattern(source, { alphabet: 'bytes' }).exact
    expect(['a', '[a-z]+', 'é', '^(?:ü|ß)$', '\\w\\b', '[]'].map(exact)).toEqual([true, true, true, true, true, true])
    expect(['.', '[^a]', '\\W', '[é-ü]', '\\s'].map(exact)).toEqual([false, false, false, false, false])
  })

  test('that the engine does not have, or that repeats too much, is refused with the reason', () => {
    for (const source of ['(?=a)', '(?<!a)b', '(a)\\1', '(?i:a)', '(', '\\uD83D'])
      expect(inCharacters(source)).toStartWith('Its pattern has what RE2 does not')
    expect(inCharacters('(?:a{100}){100}')).toBe(
      'Its pattern repeats something more than 1,000 times, which RE2 refuses.',
    )
    expect(inCharacters(`${'('.repeat(300)}a${')'.repeat(300)}`)).toBe('Its pattern nests groups too deeply.')
    expect(inCharacters(`${'(?:a|'.repeat(300)}b${')'.repeat(300)}`)).toBe('Its pattern nests groups too deeply.')
    expect(inBytes('(?:[a-z]{100}){9}'.repeat(20))).toBe(
      'Its pattern is too large for the engine: it repeats too much.',
    )
  })

  test('matches what the runtime matches, and more only where it says so', () => {
    fc.assert(
      fc.property(
        regularSource,
        patternText,
        fc.constantFrom('unicode' as const, 'bytes' as const),
        fc.boolean(),
        (source, text, alphabet, isSearch) => {
          const native = runtimePattern(source)
          fc.pre(native !== null)
          const options = { alphabet, isSearch }
          let found
          try {
            found = translatePattern(source, options)
          } catch (error) {
            expect(error).toBeInstanceOf(Inexpressible)
            return
          }
          const [expected, actual] = [native.test(text), run(asOperand(found), text, options)]
          if (found.exact || expected) expect(actual).toBe(expected)
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 1000) },
    )
  })

  test('a byte that is no character is one of the characters that are not named', () => {
    const operand = translatePattern('^/a/[^/]+$', { alphabet: 'bytes' })
    const pattern = new RegExp(asOperand(operand).replaceAll('\\A', '^').replaceAll('\\z', '$'))
    for (const bytes of ['/a/\xff', '/a/\x80x', '/a/\xc3', '/a/\xc3\xa9\xbf']) expect(pattern.test(bytes)).toBe(true)
    expect(pattern.test(`/a/${'\xc3\xa9'.repeat(5000)}/`)).toBe(false)
  })
})

test('a literal matches its text in either alphabet', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('unicode' as const, 'bytes' as const),
      (text, alphabet) => {
        const whole = text.toWellFormed()
        expect(run(`\\A${literal(text, alphabet)}\\z`, whole, { alphabet })).toBe(true)
        expect(run(`\\A${literal(text, alphabet)}\\z`, `${whole}a`, { alphabet })).toBe(false)
        expect(literal(text, alphabet)).toMatch(/^[A-Za-z0-9_/\\{}-]*$/)
      },
    ),
  )
})
