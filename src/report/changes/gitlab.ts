import { visibleJson } from '../escape.ts'
import type { ChangeReport } from '../report.ts'
import { markOf, sentenceOf } from './outline.ts'

const levels = { breaking: 'critical', 'non-breaking': 'info', 'docs-only': 'info' } as const

/** GitLab's Code Quality report: a subset of the Code Climate format; fingerprints are unique, as GitLab wants them. */
export const changesAsCodeQuality = (report: ChangeReport): string => {
  const used = new Map<string, number>()
  const issues = report.changes.map((change) => {
    const count = used.get(change.fingerprint) ?? 0
    used.set(change.fingerprint, count + 1)
    const mark = markOf(change, report)
    return {
      description: sentenceOf(change, report),
      check_name: change.id,
      fingerprint: count === 0 ? change.fingerprint : `${change.fingerprint}-${count}`,
      severity: levels[change.severity],
      location: {
        path: (mark?.source ?? report.head).replace(/^\.\//, ''),
        lines: { begin: (mark?.range?.start.line ?? 0) + 1 },
      },
    }
  })
  return `${visibleJson(JSON.stringify(issues, null, 2))}\n`
}
