import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { severities, type Finding } from '../../../src/lint/finding.ts'
import { grade, quickWins } from '../../../src/lint/grade.ts'
import { rankByGain } from '../../../src/lint/rank.ts'

const rules = fc.uniqueArray(
  fc.record({
    code: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    severity: fc.constantFrom('error', 'warning', 'info'),
    findings: fc.integer({ min: 1, max: 6 }),
    targets: fc.integer({ min: 1, max: 50 }),
  }),
  { selector: ({ code }) => code, minLength: 1 },
)

test('findings come in the order of the quick wins, each rule as a block, and in the order of the document within', () => {
  fc.assert(
    fc.property(rules, (all) => {
      const hits = all.map((rule) => ({ ...rule, hits: Math.min(rule.findings, rule.targets) }))
      const graded = grade(hits, true)
      if (graded === null) throw new Error('nothing was graded')
      const findings = all.flatMap(({ code, severity, findings }) =>
        Array.from({ length: findings }, (_, index) => ({ code, severity, fingerprint: `${code}${index}` }) as Finding),
      )
      const ranked = rankByGain(findings, graded.deductions)
      const blocks = ranked.map(({ code }) => code).filter((code, at, codes) => code !== codes[at - 1])
      expect(blocks.slice(0, 5)).toEqual(quickWins(graded).map(({ code }) => code))
      expect(blocks.length).toBe(all.length)
      for (const { code } of all)
        expect(ranked.filter((it) => it.code === code)).toEqual(findings.filter((it) => it.code === code))
    }),
  )
})

test('findings of rules that cost nothing come last, the worst first', () => {
  const of = (code: string, severity: Finding['severity']) => ({ code, severity }) as Finding
  const findings = [...severities].toReversed().map((severity) => of(severity, severity))
  expect(rankByGain(findings, []).map(({ code }) => code)).toEqual([...severities])
})
