import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { grade, gradeLetters, meetsGrade, type RuleHits } from '../../../src/lint/grade.ts'
import { severities } from '../../../src/lint/finding.ts'

const rule = (code: string, severity: RuleHits['severity'], hits: number, targets: number): RuleHits => ({
  code,
  severity,
  hits,
  targets,
})

test('no hits is a full score', () => {
  expect(grade([rule('a', 'error', 0, 10)], true)).toEqual({ score: 100, letter: 'A', cap: null, deductions: [] })
})

test('a rule costs its floor plus its share, the dearest first', () => {
  expect(
    grade([rule('few', 'warning', 1, 100), rule('all', 'warning', 50, 50), rule('i', 'hint', 9, 9)], true),
  ).toEqual({
    score: 95.7,
    letter: 'A',
    cap: null,
    deductions: [
      { ...rule('all', 'warning', 50, 50), points: 3 },
      { ...rule('few', 'warning', 1, 100), points: 3 * (0.4 + 0.6 * 0.04) },
      { ...rule('i', 'hint', 9, 9), points: 0 },
    ],
  })
})

test('an error caps the letter at B', () => {
  const result = grade([rule('e', 'error', 1, 1000)], true)
  expect([result?.score, result?.letter, result?.cap]).toEqual([94, 'B', 'has-errors'])
})

test('an invalid document is F, and nothing to grade is null', () => {
  expect(grade([], false)).toEqual({ score: 0, letter: 'F', cap: 'invalid-document', deductions: [] })
  expect(grade([], true)).toBeNull()
})

test('meetsGrade compares letters', () => {
  expect(meetsGrade('A', 'B')).toBe(true)
  expect(meetsGrade('B', 'B')).toBe(true)
  expect(meetsGrade('F', 'D')).toBe(false)
})

test('fewer hits never lower the score', () => {
  const anyRule = fc.record({
    code: fc.string({ minLength: 1 }),
    severity: fc.constantFrom(...severities),
    hits: fc.integer({ min: 0, max: 40 }),
    targets: fc.integer({ min: 0, max: 60 }),
  })
  fc.assert(
    fc.property(fc.array(anyRule, { minLength: 1, maxLength: 12 }), fc.nat(), (rules, which) => {
      const at = which % rules.length
      const better = rules.map((it, i) => (i === at ? { ...it, hits: Math.max(0, it.hits - 1) } : it))
      const [before, after] = [grade(rules, true), grade(better, true)]
      expect(after!.score).toBeGreaterThanOrEqual(before!.score)
      expect(gradeLetters.indexOf(after!.letter)).toBeLessThanOrEqual(gradeLetters.indexOf(before!.letter))
    }),
  )
})
