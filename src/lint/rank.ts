import { severities, type Finding } from './finding.ts'
import type { Deduction } from './grade.ts'

/** The worst first: by severity, then by what the rule costs, then in the order of the document. */
export function rankFindings(findings: readonly Finding[], deductions: readonly Deduction[]): Finding[] {
  const points = new Map(deductions.map((it) => [it.code, it.points]))
  return findings.toSorted(
    (a, b) =>
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      (points.get(b.code) ?? 0) - (points.get(a.code) ?? 0),
  )
}
