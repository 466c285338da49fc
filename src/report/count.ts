import type { Finding, Severity } from '../lint/finding.ts'

/** How many findings there are of each severity, those with none included. */
export function countFindings(findings: readonly Finding[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, info: 0, hint: 0 }
  for (const finding of findings) counts[finding.severity]++
  return counts
}
