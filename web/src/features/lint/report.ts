import type { Output } from '../../../../src/api/endpoint.ts'
import type { lintApi } from '../../../../src/api/lint.ts'
import { count } from '../../parts/count.ts'
import type { Finding } from './queries.ts'

export type LintReport = Output<typeof lintApi.version>
export type Deduction = LintReport['grade']['deductions'][number]
export const severities = ['error', 'warning', 'info', 'hint'] as const

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])

/** The part of the document that a place belongs to: an operation, a path, a component, else its first field. */
export const placeOf = ({ path }: Pick<Finding, 'path'>): string => {
  const [field, name, inner] = path.map(String)
  if (field === undefined) return 'whole document'
  if (name === undefined) return field
  if (field === 'paths') return inner !== undefined && methods.has(inner) ? `${inner.toUpperCase()} ${name}` : name
  if (field === 'webhooks')
    return inner !== undefined && methods.has(inner) ? `${inner.toUpperCase()} webhook ${name}` : `webhook ${name}`
  if (field === 'components' && inner !== undefined) return `${field}/${name}/${inner}`
  return field === 'info' ? field : `${field}/${name}`
}

/** What of a report is shown. Empty words show everything. */
export interface FindingFilter {
  readonly q: string
  readonly severity: string
  readonly rule: string
  readonly place: string
}

/** The findings that match: `q` is searched in message, rule, pointer and place. */
export const filterFindings = (findings: readonly Finding[], given: FindingFilter): readonly Finding[] => {
  const wanted = given.q.toLowerCase()
  return findings.filter(
    (it) =>
      (given.severity === '' || it.severity === given.severity) &&
      (given.rule === '' || it.code === given.rule) &&
      (given.place === '' || placeOf(it) === given.place) &&
      (wanted === '' ||
        [it.message, it.code, it.pointer, placeOf(it)].some((text) => text.toLowerCase().includes(wanted))),
  )
}

/** Findings that belong together, the worst severity among them first. */
export interface Group {
  readonly name: string
  readonly severity: Finding['severity']
  readonly findings: readonly Finding[]
}

const rank = (severity: Finding['severity']): number => severities.indexOf(severity)

/** By rule or by place: groups with worse findings first, then larger ones. Inside a group in the order of the text. */
export const groupFindings = (findings: readonly Finding[], by: 'rule' | 'place'): readonly Group[] => {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const name = by === 'rule' ? finding.code : placeOf(finding)
    const group = groups.get(name)
    if (group) group.push(finding)
    else groups.set(name, [finding])
  }
  return [...groups]
    .map(([name, findings]) => ({
      name,
      findings,
      severity: severities[findings.reduce((least, it) => Math.min(least, rank(it.severity)), 3)] ?? 'hint',
    }))
    .toSorted(
      (a, b) =>
        rank(a.severity) - rank(b.severity) || b.findings.length - a.findings.length || (a.name < b.name ? -1 : 1),
    )
}

/** How often each word occurs, the most frequent first. */
export const countBy = (
  findings: readonly Finding[],
  word: (finding: Finding) => string,
): readonly (readonly [word: string, count: number])[] => {
  const counts = new Map<string, number>()
  for (const finding of findings) counts.set(word(finding), (counts.get(word(finding)) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}

/** The five deductions that cost the most points per finding. */
export const mostPointsPerFinding = (deductions: readonly Deduction[]): readonly Deduction[] =>
  deductions
    .filter((it) => it.points > 0)
    .toSorted((a, b) => b.points / b.hits - a.points / a.hits || b.points - a.points)
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
