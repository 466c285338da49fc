import type { Output } from '../../../../src/api/endpoint.ts'
import type { lintFindingsApi } from '../../../../src/api/lint-findings.ts'
import { count } from '../../parts/text.ts'

export type LintReport = Output<typeof lintFindingsApi.summary>
export type Deduction = LintReport['grade']['deductions'][number]

/** What of a report is shown. Empty words show everything. */
export interface FindingFilter {
  readonly q: string
  readonly severity: string
  readonly rule: string
  readonly place: string
}

/** How a report is shown: its filters, and how findings are put together. */
export interface ReportView extends FindingFilter {
  readonly by: 'rule' | 'place' | 'text'
  readonly frames: boolean
}

/** A row of the list: the heading of a group, or a finding by its place in the order of all that match. */
export type ReportRow = { readonly group: LintReport['groups'][number] } | { readonly at: number }

/** The rows of a report: each group is followed by its findings unless it is closed; without groups all findings. */
export const rowsOf = (
  { groups, matching }: Pick<LintReport, 'groups' | 'matching'>,
  closed: ReadonlySet<string>,
): readonly ReportRow[] => {
  const findings = (from: number, count: number): ReportRow[] =>
    Array.from({ length: count }, (_, index) => ({ at: from + index }))
  if (groups.length === 0) return findings(0, matching)
  const rows: ReportRow[] = []
  let from = 0
  for (const group of groups) {
    rows.push({ group })
    if (!closed.has(group.name)) for (const row of findings(from, group.count)) rows.push(row)
    from += group.count
  }
  return rows
}

/** The findings of a deduction; of older reports, the places with one. */
export const findingsOf = ({ findings, hits }: Deduction): number => findings ?? hits

/** The five deductions that cost the most points per finding. */
export const mostPointsPerFinding = (deductions: readonly Deduction[]): readonly Deduction[] =>
  deductions
    .filter((it) => it.points > 0)
    .toSorted((a, b) => b.points / findingsOf(b) - a.points / findingsOf(a) || b.points - a.points)
    .slice(0, 5)

const steps = [
  [60, 'D'],
  [70, 'C'],
  [80, 'B'],
  [90, 'A'],
] as const

/** What is missing for the next better grade, in a sentence; null for the best one. */
export const outlookOf = ({ grade, score, counts }: LintReport['grade']): string | null => {
  if (grade === null || score === null || grade === 'A') return null
  if (score >= 90) return `Fix ${count(counts.error, 'error', 'errors')} to reach grade A.`
  const next = steps.find(([least]) => score < least)
  return next ? `${(next[0] - score).toFixed(1)} points to grade ${next[1]}.` : null
}
