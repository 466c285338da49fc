import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { costOf, isCertain } from '../../../src/regex/cost.ts'
import { Pattern } from '../../../src/regex/pattern.ts'
import { compileProgram, OutOfBudget, Run } from '../../../src/regex/program.ts'
import { readStructure } from '../../../src/regex/structure.ts'

const simulate = (source: string, flags: string, text: string): boolean | null => {
  const characters = /[uv]/.test(flags) ? Array.from(text) : text.split('')
  try {
    return new Run(characters, { left: 1_000_000 }).find(compileProgram(readStructure(source, flags)))
  } catch (error) {
    if (error instanceof OutOfBudget) return null
    throw error
  }
}

const { pieces: anySource } = fc.letrec<{ pieces: string; piece: string; unit: string }>((tie) => ({
  unit: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('a', 'b', 'A', '.', '[ab]', '[^a]', '\\w', '\\d', '\\s', '1', '\\x61', '[a-c\\]]', '\\u0062'),
    fc.constantFrom('^', '$', '\\b', '\\B'),
    tie('pieces').map((it) => `(${it})`),
    tie('pieces').map((it) => `(?:${it})`),
    fc.tuple(fc.constantFrom('=', '!', '<=', '<!'), tie('pieces')).map(([kind, it]) => `(?${kind}${it})`),
  ),
  piece: fc.oneof(
    { maxDepth: 4 },
    { weight: 3, arbitrary: tie('unit') },
    {
      weight: 2,
      arbitrary: fc
        .tuple(tie('unit'), fc.constantFrom('*', '+', '?', '{2}', '{1,}', '{0,3}', '*?', '+?', '??'))
        .map(([unit, sign]) => unit + sign),
    },
  ),
  pieces: fc.oneof(
    { maxDepth: 4 },
    fc.array(tie('piece'), { minLength: 1, maxLength: 3 }).map((it) => it.join('')),
    fc.tuple(tie('piece'), tie('pieces')).map((it) => it.join('|')),
  ),
}))
const anyText = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'c', '1', '-', ' ', '\n', 'é', '😀'), maxLength: 9 })

const valid = (source: string, flags: string): boolean => {
  try {
    return new RegExp(source, flags) instanceof RegExp
  } catch {
    return false
  }
}

describe('a pattern', () => {
  test('answers as the runtime does, for expressions of every construct', () => {
    fc.assert(
      fc.property(anySource, fc.constantFrom('', 'i', 'm', 's', 'u', 'iu'), anyText, (source, flags, text) => {
        fc.pre(valid(source, flags))
        // The runtime is no judge of these: of "(?<=(?=(^a)|b)a)(?:(?:^|a)|(a))" and "aa" it says no, other engines and the standard yes.
        fc.pre(!/\(\?<[=!][^]*\(\?[=!]/.test(source))
        const expected = new RegExp(source, flags).test(text)
        expect(simulate(source, flags, text)).toBe(expected)
        expect(new Pattern(source, flags).test(text)).toBe(expected)
      }),
      { numRuns: Number(process.env.RUNS ?? 2000) },
    )
  })

  test('a look ahead within a look behind, where the runtime errs', () => {
    expect(simulate('(?<=(?=(^a)|(?:\\da))a)(?:(?:^|a)|(a))', '', 'aa')).toBe(true)
  })

  test.each([
    ['^(a+)\\1$', '', 'aaaa', true],
    ['^(a+)\\1$', '', 'aaa', false],
    ['^(?<q>["\'])[^]*\\k<q>$', '', '"x"', true],
    ['^(?<q>["\'])[^]*\\k<q>$', '', '"x\'', false],
    ['^(?:(a)|b)*\\1$', '', 'ab', true],
    ['(?<=\\$)\\d+(?!\\d|%)', '', '$15%', false],
    ['(?<=\\$)\\d+(?!\\d|%)', '', 'x $15', true],
    ['(?<!\\w)(?i:ab)c', '', '-ABc', true],
    ['(?<!\\w)(?i:ab)c', '', '-ABC', false],
    ['^\\p{Lu}[\\p{L} ]*$', 'u', 'Élan vital', true],
    ['^.$', 'u', '😀', true],
    ['^.$', '', '😀', false],
    ['(?<=(\\d)\\1)x', '', '55x', true],
    ['(?<=\\1(\\d))x', '', '55x', true],
    ['a{', '', 'a{', true],
    ['x]', '', 'x]', true],
  ])('/%s/%s of %j is %p by every way', (source, flags, text, expected) => {
    expect(new RegExp(source, flags).test(text)).toBe(expected)
    expect(simulate(source, flags, text)).toBe(expected)
    expect(new Pattern(source, flags).test(text)).toBe(expected)
  })

  test.each([
    ['^(a+)+$', `${'a'.repeat(50_000)}b`, false],
    ['^(a|aa)+$', `${'a'.repeat(5000)}b`, false],
    ['(x+x+)+y', 'x'.repeat(2000), false],
    ['a*a*a*a*a*a*a*b', 'a'.repeat(5000), false],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(5000), false],
    [`^${'a?'.repeat(30)}${'a'.repeat(30)}$`, 'a'.repeat(29), false],
    ['^[a-z]+(-[a-z]+)*$', `${'abc-'.repeat(100_000)}abc`, true],
    ['^(?=(a+)+$)a', `${'a'.repeat(3000)}b`, false],
    ['(?:\\s+)+$', `${' '.repeat(3000)}x`, false],
  ])(
    '/%s/ is decided on a hostile text',
    (source, text, expected) => {
      expect(new Pattern(source).test(text)).toBe(expected)
    },
    60_000,
  )

  test('that only luck could answer in time stays unanswered', () => {
    expect(new Pattern('^(a+)+\\1$').test(`${'a'.repeat(60)}b`)).toBeNull()
    expect(new Pattern('^((a|b){500}){500}$').test('ab'.repeat(40))).toBeNull()
    expect(new Pattern('(a+)+b').test('a'.repeat(300_000))).toBeNull()
  })

  test('of no regular expression is refused as the runtime refuses it', () => {
    expect(() => new Pattern('(')).toThrow(SyntaxError)
  })
})

describe('what the runtime may be trusted with', () => {
  const tree = (source: string) => readStructure(source, '').tree
  test.each([
    ['^[a-z]+$', 1, 1],
    ['[a-z]+$', 1, 2],
    ['^(?:x|y)z?$', 4, 0],
    ['a*a*', 1, 3],
    ['(a*)*', Infinity, Infinity],
    ['(?:a|b)+', Infinity, Infinity],
    ['(a)\\1', Infinity, Infinity],
  ])('/%s/ tries %p ways at a power of %p', (source, ways, power) => {
    expect(costOf(tree(source))).toEqual({ ways, power })
  })

  test.each([
    ['^[a-z]+(?:-[a-z]+)*$', true],
    ['^(?:a|b)+$', true],
    ['^(?:ab|ac)+$', false],
    ['^(a+)+$', false],
    ['^(a*)*$', false],
    ['^a?a$', false],
    ['(?:-[a-z]+)*$', false],
    ['^(?:a{2}b)+$', true],
    ['^(?=a)a+$', false],
  ])('/%s/ has one way only: %p', (source, expected) => {
    expect(isCertain(tree(source))).toBe(expected)
  })
})
