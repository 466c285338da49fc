import { isMethod } from '../kernel/methods.ts'
import { type Finding, severities, type Severity } from './finding.ts'

/** The part of the document that a place belongs to: an operation, a path, a component, else its first field. */
export const placeOf = ({ path }: Pick<Finding, 'path'>): string => {
  const [field, name, inner] = path.map(String)
  if (field === undefined) return 'whole document'
  if (name === undefined) return field
  if (field === 'paths') return inner !== undefined && isMethod(inner) ? `${inner.toUpperCase()} ${name}` : name
  if (field === 'webhooks')
    return inner !== undefined && isMethod(inner) ? `${inner.toUpperCase()} webhook ${name}` : `webhook ${name}`
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
export function filterFindings(findings: readonly Finding[], given: FindingFilter): readonly Finding[] {
  const wanted = given.q.toLowerCase()
  return findings.filter(
    (finding) =>
      (given.severity === '' || finding.severity === given.severity) &&
      (given.rule === '' || finding.code === given.rule) &&
      (given.place === '' || placeOf(finding) === given.place) &&
      (wanted === '' ||
        [finding.message, finding.code, finding.pointer, placeOf(finding)].some((text) =>
          text.toLowerCase().includes(wanted),
        )),
  )
}

/** Findings that belong together, the worst severity among them first. */
export interface FindingGroup {
  readonly name: string
  readonly severity: Severity
  readonly findings: readonly Finding[]
}

const rank = (severity: Severity): number => severities.indexOf(severity)

/** By rule or by place: groups with worse findings first, then larger ones. Inside a group in the order of the text. */
export function groupFindings(findings: readonly Finding[], by: 'rule' | 'place'): readonly FindingGroup[] {
  const groups = Map.groupBy(findings, by === 'rule' ? (it) => it.code : placeOf)
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
export function countBy<T>(
  all: readonly T[],
  word: (one: T) => string,
): readonly (readonly [word: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const one of all) counts.set(word(one), (counts.get(word(one)) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}
