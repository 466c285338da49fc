import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { compilePattern, matches } from '../../../src/schema/pattern.ts'
import { toPattern } from '../../../src/schema/validation/pattern.ts'
import { patternText, regularSource, runtimePattern } from '../../fixtures/patterns.ts'

test('an automaton matches what the runtime matches', () => {
  let asked = 0
  fc.assert(
    fc.property(regularSource, patternText, (source, text) => {
      const native = runtimePattern(source)
      const automaton = compilePattern(source)
      if (native === null || automaton === null) return
      asked++
      expect(matches(automaton, text)).toBe(native.test(text))
    }),
    { numRuns: Number(process.env.RUNS ?? 1000) },
  )
  expect(asked).toBeGreaterThan(200)
})

test('a pattern that Unicode mode does not take is read as the validator reads it', () => {
  for (const [source, text] of [
    ['^[\\w-.]+\\@b$', 'a-.@b'],
    ['^\\p{L}\\-$', 'p{L}-'],
    ['^a{$', 'a{'],
    ['^]$', ']'],
    ['^\\1$', '\u0001'],
    ['^\\cA\\_$', '\u0001_'],
  ] as const) {
    expect(toPattern(source)?.test(text)).toBe(true)
    expect(matches(compilePattern(source)!, text)).toBe(true)
    expect(matches(compilePattern(source)!, 'x')).toBe(toPattern(source)?.test('x') === true)
  }
})

test('what is not regular has no automaton', () => {
  for (const source of ['(?=a)', '(?<!a)', '(a)\\1', '\\ba', '(', '\\uD800', '^\\😀\\-$', '('.repeat(5000)])
    expect(compilePattern(source)).toBeNull()
})
