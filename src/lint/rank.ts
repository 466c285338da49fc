import { severities, type Finding } from './finding.ts'
import { compareGains, type Deduction } from './grade.ts'

/** The worst first: by severity, then by what the rule costs, then in the order of the document. */
export function rankFindings(findings: readonly Finding[], deductions: readonly Deduction[]): Finding[] {
  const points = new Map(deductions.map((it) => [it.code, it.points]))
  return findings.toSorted(
    (a, b) =>
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      (points.get(b.code) ?? 0) - (points.get(a.code) ?? 0),
  )
}

/** Those first whose rule gains the most for each finding that is fixed, as quick wins are ordered; then by severity, then in the order of the document. */
export function rankByGain(findings: readonly Finding[], deductions: readonly Deduction[]): Finding[] {
  const ranks = new Map(deductions.toSorted(compareGains).map(({ code }, rank) => [code, rank]))
  const rankOf = ({ code }: Finding): number => ranks.get(code) ?? ranks.size
  return findings.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || severities.indexOf(a.severity) - severities.indexOf(b.severity),
  )
}
