import type { Finding, Severity } from '../lint/finding.ts'
import { plural } from '../kernel/plural.ts'
import type { FindingReport } from './report.ts'

/** How many findings there are of each severity, also of those with none. */
export function countFindings(findings: readonly Finding[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, info: 0, hint: 0 }
  for (const finding of findings) counts[finding.severity]++
  return counts
}

/** The counts of a run: of all its findings, also of those that its report leaves out. */
export const countsOf = ({ findings, total }: FindingReport): Readonly<Record<Severity, number>> =>
  total ?? countFindings(findings)

/** How many findings a report leaves out. */
export const omittedOf = (report: FindingReport): number =>
  Object.values(countsOf(report)).reduce((sum, it) => sum + it, 0) - report.findings.length

/** "12 findings are not shown.", or "". */
export function omittedNote(report: FindingReport): string {
  const omitted = omittedOf(report)
  return omitted === 0 ? '' : `${plural(omitted, 'finding')} ${omitted === 1 ? 'is' : 'are'} not shown.`
}
