import { oneLine } from '../escape.ts'
import type { Finding } from '../../lint/finding.ts'
import { framesOf } from '../frame.ts'
import type { FindingReport, ReportFormat, ReportOptions } from '../report.ts'
import { guidance, painter, summarize } from '../terminal.ts'

function write(
  report: FindingReport,
  findings: readonly Finding[],
  text: string | null,
  options: ReportOptions,
): string {
  const paint = painter(options)
  const frame = text === null ? null : framesOf(text)
  return findings
    .map((it) => {
      const { line, character } = it.range.start
      const place = `${oneLine(it.source)}:${line + 1}:${character + 1}`
      return `${place} ${paint(it.severity, it.severity)} ${paint('dim', oneLine(it.code))} ${oneLine(it.message)}\n${frame?.(it.range, options) ?? ''}${guidance(report, it, options)}\n`
    })
    .join('')
}

/** Each finding with the lines it is about and a caret below the place. */
export default {
  id: 'codeframe',
  summary: 'for people: each finding with its source lines',
  mediaType: 'text/plain',
  findings: (report: FindingReport, options) => {
    const bySource = Map.groupBy(report.findings, (it) => it.source)
    const parts = [...bySource].map(([source, its]) => write(report, its, report.sources.get(source) ?? null, options))
    return parts.join('') + summarize(report, options)
  },
} satisfies ReportFormat as ReportFormat
