import { visibleJson } from '../escape.ts'
import { changesAsCodeQuality } from '../changes/gitlab.ts'
import type { Severity } from '../../lint/finding.ts'
import type { ReportFormat } from '../report.ts'

const named: Record<Severity, string> = { error: 'critical', warning: 'major', info: 'minor', hint: 'info' }

/** GitLab's Code Quality report: an array, each entry with a fingerprint that is unique in the report. */
export default {
  id: 'gitlab',
  summary: 'GitLab Code Quality',
  mediaType: 'application/json',
  findings: (report) => {
    const used = new Map<string, number>()
    const entries = report.findings.map((it) => {
      // GitLab drops entries with a repeated fingerprint.
      const count = used.get(it.fingerprint) ?? 0
      used.set(it.fingerprint, count + 1)
      return {
        description: it.message,
        check_name: it.code,
        fingerprint: count === 0 ? it.fingerprint : `${it.fingerprint}-${count}`,
        severity: named[it.severity],
        location: {
          path: report.pathOf?.(it.source) ?? it.source.replace(/^\.\//, ''),
          positions: {
            begin: { line: it.range.start.line + 1, column: it.range.start.character + 1 },
            end: { line: it.range.end.line + 1, column: it.range.end.character + 1 },
          },
        },
      }
    })
    return `${visibleJson(JSON.stringify(entries, null, 2))}\n`
  },
  changes: changesAsCodeQuality,
} satisfies ReportFormat as ReportFormat
