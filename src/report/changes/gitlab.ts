import type { ChangeReport } from '../report.ts'
import { lineOf } from './outline.ts'

const levels = { breaking: 'critical', 'non-breaking': 'info', 'docs-only': 'info' } as const

/** GitLab's Code Quality report: a subset of the Code Climate format. */
export const changesAsCodeQuality = (report: ChangeReport): string => {
  const issues = report.changes.map((change) => ({
    description: change.message,
    check_name: change.id,
    fingerprint: change.fingerprint,
    severity: levels[change.severity],
    location: { path: change.head ? report.head : report.base, lines: { begin: lineOf(change) ?? 1 } },
  }))
  return `${JSON.stringify(issues, null, 2)}\n`
}
