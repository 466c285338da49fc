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

  for (const [source, written] of [
    ['a*', 'a*'],
    ['a+', 'a+'],
    ['a?', 'a?'],
    ['a{0}', 'a{0}'],
    ['a{1}', 'a{1}'],
    ['a{2,}', 'a{2,}'],
    ['a{0,2}', 'a{0,2}'],
    ['a{1,2}', 'a{1,2}'],
    ['(?:ab)+', '(?:ab)+'],
    ['(?:a?)+', '(?:a?)+'],
    ['a(?:b|c)', 'a(?:b|c)'],
    ['a|b', 'a|b'],
    ['(?:a|b)|c', '(?:a|b)|c'],
    ['[ab]', '[a-b]'],
    ['[ac]', '[ac]'],
    ['', ''],
  ] as const)
    test(`/${source}/ is written so for both engines`, () => {
      expect([inCharacters(source), inBytes(source)]).toEqual([written, written])
    })

  test('names the last character of ASCII and the first beyond it', () => {
    expect(['\\x7f', '\\x80', '[\\x7f\\x80]', '[a\\x80]'].map(inCharacters)).toEqual([
      '\\x7f',
      '\\x{000080}',
      '[\\x7f-\\x{000080}]',
      '[a\\x{000080}]',
    ])
    const others = '[\\xc0-\\xff][\\x80-\\xbf]*(?![\\x80-\\xbf])|[\\x80-\\xbf]'
    expect(['\\x7f', '\\x80', '[\\x7f\\x80]', '[a\\x80]', '[\\x80\\x81]', '[\\x80-\\xff]'].map(inBytes)).toEqual([
      '\\x7f',
      '(?:\\xc2\\x80)',
      `(?:[\\x7f]|${others})`,
      `(?:[a]|${others})`,
      `(?:${others})`,
      `(?:${others})`,
    ])
  })

  test('is whole where it says what a text is from its beginning to its end', () => {
    const whole = (source: string, isSearch = false) =>
      translatePattern(source, { alphabet: 'unicode', isSearch }).whole
    expect(['^a$', '^$', '^(?:a|b)$'].map((it) => whole(it))).toEqual([true, true, true])
    expect(['^a', 'a$', '^', '$', 'a', '$a^', '^a\\b$', '^a^b$', '^a|b$', '$a$', '^a^'].map((it) => whole(it))).toEqual(
      Array.from({ length: 11 }, () => false),
    )
    expect([whole('^a$', true), said('^a$', { alphabet: 'unicode', isSearch: true })]).toEqual([false, '\\Aa\\z'])
  })

  test('has the ends of schemas where it is written into one', () => {
    const plain = (source: string) => said(source, { alphabet: 'unicode', anchors: 'plain' })
    expect(['^a$', '^a', 'a$', '^a|b$'].map(plain)).toEqual(['^(?:a)$', '^a', 'a$', '^a|b$'])
    expect(['^a', 'a$', '^a|b$'].map(inCharacters)).toEqual(['\\Aa', 'a\\z', '\\Aa|b\\z'])
  })

  test('takes a space for a plus sign where the engine decoded a form', () => {
    const plus = (source: string) => {
      const found = translatePattern(source, { alphabet: 'unicode', plus: true })
      return [asOperand(found), found.exact]
    }
    expect(['a', '\\+', '[+-/]', '[!-+]', '[,-/]', '[!-*]', '[*-,]', '[+z]'].map(plus)).toEqual([
      ['a', false],
      ['[\\x20\\x2b]', false],
      ['[\\x20\\x2b-\\x2f]', false],
      ['[\\x20-\\x2b]', false],
      ['[\\x2c-\\x2f]', false],
      ['[\\x21-\\x2a]', false],
      ['[\\x20\\x2a-\\x2c]', false],
      ['[\\x20\\x2bz]', false],
    ])
    expect(said('\\+', { alphabet: 'unicode', plus: false })).toBe('\\x2b')
  })

  test('is not exact over bytes where a word ends or not between the bytes of a character', () => {
    const exact = (source: string) =>
      (['unicode', 'bytes'] as const).map((alphabet) => translatePattern(source, { alphabet }).exact)
    expect([exact('a\\b'), exact('a\\B'), exact('^a'), exact('a$')]).toEqual([
      [true, true],
      [true, false],
      [true, true],
      [true, true],
    ])
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

  test('repeats as much as the engines take, and no more', () => {
    const tooOften = 'Its pattern repeats something more than 1,000 times, which RE2 refuses.'
    expect(['a{1000}', 'a{1001}', 'a{1000,}', 'a{1001,}', 'a{1,1000}', 'a{1,1001}'].map(inCharacters)).toEqual([
      'a{1000}',
      tooOften,
      'a{1000,}',
      tooOften,
      'a{1,1000}',
      tooOften,
    ])
    // Counts within counts are multiplied; what has no end is written once, and so is what need not be there.
    expect(
      ['(?:a{100}){10}', '(?:a{100}){11}', '(?:a{1000})*', '(?:a{1001})*', '(?:a*){1000}', '(?:a{1001}){0}'].map(
        inCharacters,
      ),
    ).toEqual(['(?:a{100}){10}', tooOften, '(?:a{1000})*', tooOften, '(?:a*){1000}', tooOften])
    expect([inCharacters('(?:(?:a{10}){0}){1000}'), inCharacters('(?:(?:a{10})?){100}')]).toEqual([
      tooOften,
      '(?:(?:a{10})?){100}',
    ])
    const tooLarge = 'Its pattern is too large for the engine: it repeats too much.'
    const times = (part: string, count: number, more = '') => `${part.repeat(count)}${more}`
    expect([inCharacters(times('a{1000}', 100)), inBytes(times('a{1000}', 10))]).toEqual([
      times('a{1000}', 100),
      times('a{1000}', 10),
    ])
    expect([inCharacters(times('a{1000}', 100, 'b')), inBytes(times('a{1000}', 10, 'b'))]).toEqual([tooLarge, tooLarge])
    expect([inBytes(times('a{1000,}', 10, 'b*')), inBytes(times('a{1,1000}', 10, 'b?'))]).toEqual([tooLarge, tooLarge])
  })

  test('nests groups to a depth of 200', () => {
    // A choice in a choice is two steps deeper: the choice, and the sequence in it. A repetition is one.
    const isTaken = (inner: string) =>
      inCharacters(`${'(?:a|'.repeat(99)}${inner}${')'.repeat(99)}`).startsWith('(?:a|(?:a|')
    expect(['b', 'b+', '(?:b+)+', '(?:(?:b+)+)+'].map(isTaken)).toEqual([true, true, false, false])
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
