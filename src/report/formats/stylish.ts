import { oneLine } from '../escape.ts'
import type { Finding } from '../../lint/finding.ts'
import type { ReportFormat } from '../report.ts'
import { painter, summarize, type Paint } from '../terminal.ts'

function writeSource(source: string, findings: readonly Finding[], paint: Paint): string {
  const rows = findings.map((finding) => [
    `${finding.range.start.line + 1}:${finding.range.start.character + 1}`,
    finding.severity,
    oneLine(finding.code),
    oneLine(finding.message),
    finding.path.join('.'),
  ])
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const widths = [0, 1, 2, 3].map(width)
  const lines = rows.map(([place = '', severity = '', code = '', message = '', path = ''], at) => {
    const style = findings[at]?.severity ?? 'warning'
    const cells = [
      place.padStart(widths[0] ?? 0),
      paint(style, severity.padEnd(widths[1] ?? 0)),
      code.padEnd(widths[2] ?? 0),
      message.padEnd(widths[3] ?? 0),
      paint('dim', oneLine(path)),
    ]
    return ` ${cells.join('  ').trimEnd()}\n`
  })
  return `${paint('bold', oneLine(source))}\n${lines.join('')}\n`
}

/** The layout that Spectral and ESLint made familiar: a block for each document, places first. */
export default {
  id: 'stylish',
  summary: 'for people: a block for each document, locations first',
  mediaType: 'text/plain',
  findings: (report, options) => {
    const paint = painter(options)
    const bySource = Map.groupBy(report.findings, (it) => it.source)
    return [...bySource].map(([source, its]) => writeSource(source, its, paint)).join('') + summarize(report, options)
  },
} satisfies ReportFormat as ReportFormat
