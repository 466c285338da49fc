/** Which findings of a run its reports show. */
import { severities, type Finding } from '../../src/lint/finding.ts'

export interface Wanted {
  /** Those that make the run fail, and no others. */
  readonly onlyFailures: boolean
  readonly fails: (finding: Finding) => boolean
  /** At most so many, the worst. */
  readonly most: number | undefined
}

/** The findings to show. */
export function selectShown(
  findings: readonly Finding[],
  { onlyFailures, fails, most }: Wanted,
): { readonly has: (finding: Finding) => boolean } {
  const chosen = onlyFailures ? findings.filter(fails) : findings
  const worst =
    most === undefined || chosen.length <= most
      ? chosen
      : chosen.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity)).slice(0, most)
  const kept = new Set(worst)
  return { has: (finding) => kept.has(finding) }
}
