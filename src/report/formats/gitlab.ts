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
    const entries = report.findings.map((finding) => {
      // GitLab drops entries with a repeated fingerprint.
      const count = used.get(finding.fingerprint) ?? 0
      used.set(finding.fingerprint, count + 1)
      return {
        description: finding.message,
        check_name: finding.code,
        fingerprint: count === 0 ? finding.fingerprint : `${finding.fingerprint}-${count}`,
        severity: named[finding.severity],
        location: {
          path: report.pathOf?.(finding.source) ?? finding.source.replace(/^\.\//, ''),
          positions: {
            begin: { line: finding.range.start.line + 1, column: finding.range.start.character + 1 },
            end: { line: finding.range.end.line + 1, column: finding.range.end.character + 1 },
          },
        },
      }
    })
    return `${visibleJson(JSON.stringify(entries, null, 2))}\n`
  },
  changes: changesAsCodeQuality,
} satisfies ReportFormat as ReportFormat
