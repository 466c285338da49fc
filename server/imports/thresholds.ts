import type { Finding, Severity } from '../../src/lint/finding.ts'
import { meetsGrade, type GradeLetter } from '../../src/lint/grade.ts'
import { plural } from '../../src/kernel/plural.ts'

/** Whether a document meets what was asked of it, and if not why. */
export interface Threshold {
  readonly passed: boolean
  readonly min_grade: string | null
  readonly fail_on: string | null
  readonly reasons: string[]
}

const order: readonly Severity[] = ['error', 'warning', 'info', 'hint']

/** Holds a grade and findings against `--min-grade` and `--fail-on`. */
export function checkThresholds(
  asked: { readonly min_grade?: GradeLetter; readonly fail_on?: 'error' | 'warning' | 'info' },
  grade: GradeLetter | null,
  counts: Readonly<Record<Finding['severity'], number>>,
): Threshold {
  const reasons: string[] = []
  if (asked.min_grade !== undefined && grade === null)
    reasons.push(`Nothing could be graded, but grade ${asked.min_grade} is required.`)
  if (asked.min_grade !== undefined && grade !== null && !meetsGrade(grade, asked.min_grade))
    reasons.push(`The grade is ${grade}, worse than ${asked.min_grade}.`)
  const severities = asked.fail_on === undefined ? [] : order.slice(0, order.indexOf(asked.fail_on) + 1)
  const hits = severities.reduce((sum, severity) => sum + counts[severity], 0)
  if (hits > 0) reasons.push(`${plural(hits, 'finding is', 'findings are')} "${asked.fail_on}" or worse.`)
  return { passed: reasons.length === 0, min_grade: asked.min_grade ?? null, fail_on: asked.fail_on ?? null, reasons }
}
