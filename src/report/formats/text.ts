import { changesAsText } from '../changes/text.ts'
import type { Finding } from '../../lint/finding.ts'
import type { ReportFormat } from '../report.ts'
import { oneLine, painter, summarize, type Paint } from '../terminal.ts'

function writeSource(source: string, findings: readonly Finding[], paint: Paint): string {
  const places = findings.map((it) => `${oneLine(source)}:${it.range.start.line + 1}:${it.range.start.character + 1}`)
  const placeWidth = Math.max(...places.map((it) => it.length))
  const severityWidth = Math.max(...findings.map((it) => it.severity.length))
  const codeWidth = Math.max(...findings.map((it) => it.code.length))
  const lines = findings.map((it, at) => {
    const severity = paint(it.severity, it.severity.padEnd(severityWidth))
    const place = (places[at] ?? '').padEnd(placeWidth)
    return `${place}  ${severity}  ${paint('dim', oneLine(it.code).padEnd(codeWidth))}  ${oneLine(it.message)}\n`
  })
  return lines.join('')
}

/** One line per finding, `file:line:column`, blocks per document, and a last line with counts and grade. */
export default {
  id: 'text',
  summary: 'for people: one line per finding, then counts and grade',
  mediaType: 'text/plain',
  findings: (report, options) => {
    const paint = painter(options)
    const bySource = Map.groupBy(report.findings, (it) => it.source)
    const blocks = [...bySource].map(([source, findings]) => `${writeSource(source, findings, paint)}\n`)
    return blocks.join('') + summarize(report, paint)
  },
  changes: changesAsText,
} satisfies ReportFormat as ReportFormat
