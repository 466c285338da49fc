import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { grade, gradeLetters, hitsOf, meetsGrade, quickWins, type RuleHits } from '../../../src/lint/grade.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import type { Ruleset } from '../../../src/lint/rule.ts'
import { severities } from '../../../src/lint/finding.ts'
import { readSeverity } from '../../../src/lint/severity.ts'

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

test('a score at the bound of a letter has that letter', () => {
  const letterOf = (...severitiesOf: RuleHits['severity'][]) => {
    const result = grade(
      severitiesOf.map((severity, at) => rule(`r${at}`, severity, 1, 1)),
      true,
    )
    return [result?.score, result?.letter]
  }
  const info = (count: number) => Array<'info'>(count).fill('info')
  expect(letterOf(...info(20))).toEqual([90, 'A'])
  expect(letterOf(...info(21))).toEqual([89.5, 'B'])
  expect(letterOf(...info(40))).toEqual([80, 'B'])
  expect(letterOf(...info(60))).toEqual([70, 'C'])
  expect(letterOf(...info(80))).toEqual([60, 'D'])
  expect(letterOf(...info(81))).toEqual([59.5, 'F'])
})

test('deductions of the same points are in the order of their codes', () => {
  const all = ['b', 'a', 'c'].map((code) => rule(code, 'info', 1, 1))
  expect(grade(all, true)?.deductions.map((it) => it.code)).toEqual(['a', 'b', 'c'])
})

test('quick wins: points for each place to fix, five of them, with the score that is reached', () => {
  const result = grade(
    [
      rule('one', 'error', 1, 1),
      rule('many', 'error', 10, 10),
      rule('few', 'warning', 1, 1),
      rule('pair', 'error', 2, 2),
      rule('note', 'info', 1, 1),
      rule('other', 'info', 1, 2),
      rule('free', 'hint', 1, 1),
    ],
    true,
  )!
  expect(quickWins(result).map(({ code, score, letter }) => [code, score, letter])).toEqual([
    ['one', 66, 'D'],
    ['pair', 66, 'D'],
    ['few', 54, 'F'],
    ['many', 66, 'D'],
    ['note', 51.5, 'F'],
  ])
  const single = grade([rule('one', 'warning', 1, 1), rule('free', 'hint', 3, 3)], true)!
  expect(quickWins(single)).toEqual([
    { code: 'one', severity: 'warning', hits: 1, findings: 1, points: 3, score: 100, letter: 'A' },
  ])
  expect(quickWins(grade([rule('one', 'error', 1, 1)], false)!)).toEqual([])
  // One place may have many findings: each of them is to be fixed.
  const whole = { code: 'whole', severity: 'warning' as const, hits: 1, targets: 1, findings: 85 }
  expect(
    quickWins(grade([whole, rule('few', 'warning', 2, 2)], true)!).map((it) => [it.code, it.hits, it.findings]),
  ).toEqual([
    ['few', 2, 2],
    ['whole', 1, 85],
  ])
  // Of two that gain the same for each place, the one that gains more in all.
  const even = grade([rule('a', 'info', 1, 1), rule('b', 'warning', 6, 6)], true)!
  expect(quickWins(even).map((it) => it.code)).toEqual(['b', 'a'])
})

test('severities by name and by number, and nothing else', () => {
  expect(['error', 'warn', 'warning', 'info', 'information', 'hint', 'off'].map(readSeverity)).toEqual([
    'error',
    'warning',
    'warning',
    'info',
    'info',
    'hint',
    'off',
  ])
  expect([0, 1, 2, 3, -1, '0', '3', '-1'].map(readSeverity)).toEqual([
    'error',
    'warning',
    'info',
    'hint',
    'off',
    'error',
    'hint',
    'off',
  ])
  for (const value of [4, -2, 0.5, '4', '10', '', 'constructor', 'Error', true, null, undefined, [3], { error: 1 }])
    expect([value, readSeverity(value)]).toEqual([value, null])
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

test('a rule counts with the worst severity of its findings, and broken references count out of all', () => {
  const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a: { get: { responses: { '200': { $ref: '#/components/responses/A' }, '400': { $ref: '#/components/responses/B' } } } }
components: { responses: { A: { description: ok } } }
`
  const everywhere = (severity: 'error' | 'hint', overridden: 'error' | 'hint' | 'off') => ({
    r: {
      severity,
      given: ['$.info'],
      then: [{ run: () => [{ message: 'm' }] }],
      overrides: [{ pointer: '/info', severity: overridden, fits: () => true }],
    },
  })
  const rows = (ruleset: Ruleset) =>
    lint(parseDocument(text, { source: 'a.yaml' }), ruleset).rules.map((rule) => [
      rule.code,
      rule.severity,
      rule.hits,
      rule.targets,
    ])
  const broken = ['invalid-ref', 'error', 1, 2]
  expect(rows(everywhere('hint', 'error'))).toEqual([['r', 'error', 1, 1], broken])
  expect(rows(everywhere('error', 'hint'))).toEqual([['r', 'hint', 1, 1], broken])
  expect(rows(everywhere('error', 'off'))).toEqual([['r', 'error', 0, 1], broken])
  expect(rows({})).toEqual([])
  const { rules } = lint(parseDocument(text, { source: 'a.yaml' }), everywhere('hint', 'hint'))
  expect(grade(rules, true)).toMatchObject({ letter: 'B', score: 85 })
})

test('findings of a rule are counted beside the nodes that it hits, and are never fewer', () => {
  const rule = { severity: 'warning', worst: null, targets: 9 } as const
  const found = ['many', 'many', 'many', 'few'].map((code) => ({ code }))
  const rules = [
    { ...rule, id: 'many', hits: 2 },
    { ...rule, id: 'few', hits: 2 },
    { ...rule, id: 'none', hits: 0 },
    { ...rule, id: 'worse', hits: 1, worst: 'error' as const },
  ]
  expect(hitsOf(rules, found)).toEqual([
    { code: 'many', severity: 'warning', hits: 2, targets: 9, findings: 3 },
    { code: 'few', severity: 'warning', hits: 2, targets: 9, findings: 2 },
    { code: 'none', severity: 'warning', hits: 0, targets: 9 },
    { code: 'worse', severity: 'error', hits: 1, targets: 9, findings: 1 },
  ])
})
