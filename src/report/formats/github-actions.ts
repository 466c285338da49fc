import { changesAsAnnotations } from '../changes/github-actions.ts'
import type { Severity } from '../../lint/finding.ts'
import { visible } from '../escape.ts'
import type { ReportFormat } from '../report.ts'

const commands: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'notice', hint: 'notice' }

const escapeData = (text: string): string =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Workflow commands of GitHub Actions: each finding becomes an annotation on its line. Lines and columns count from one. */
export default {
  id: 'github-actions',
  summary: 'annotations on the lines of a pull request, by GitHub Actions workflow commands',
  mediaType: 'text/plain',
  findings: (report) =>
    report.findings
      .map((finding) => {
        const { start, end } = finding.range
        const places = [
          `file=${escapeProperty(report.pathOf?.(finding.source) ?? finding.source)}`,
          `line=${start.line + 1}`,
          `endLine=${end.line + 1}`,
          // GitHub takes columns only for a range within one line.
          ...(start.line === end.line ? [`col=${start.character + 1}`, `endColumn=${end.character + 1}`] : []),
          `title=${escapeProperty(finding.code)}`,
        ]
        return `::${commands[finding.severity]} ${places.join(',')}::${escapeData(finding.message)}\n`
      })
      .join(''),
  changes: changesAsAnnotations,
} satisfies ReportFormat as ReportFormat
