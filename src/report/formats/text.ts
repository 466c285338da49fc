import { changesAsText } from '../changes/text.ts'
import type { Finding, Severity } from '../../lint/finding.ts'
import { countFindings, plural } from '../count.ts'
import type { FindingReport, ReportFormat, ReportOptions } from '../report.ts'

const codes: Record<Severity | 'dim' | 'bold' | 'good', string> = {
  error: '31',
  warning: '33',
  info: '36',
  hint: '35',
  good: '32',
  dim: '2',
  bold: '1',
}

type Paint = (style: keyof typeof codes, text: string) => string

const painter = (options: ReportOptions): Paint =>
  options.colour ? (style, text) => `\u001b[${codes[style]}m${text}\u001b[0m` : (_, text) => text

/** What a document says must not steer the terminal: line breaks become spaces, other control characters U+FFFD. */
const oneLine = (text: string): string => text.replaceAll(/\s*[\r\n]\s*/g, ' ').replaceAll(/\p{Cc}/gu, '\uFFFD')

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

function summarize(report: FindingReport, paint: Paint): string {
  const counts = countFindings(report.findings)
  const said =
    report.findings.length === 0
      ? paint('good', 'No findings')
      : [
          plural(counts.error, 'error'),
          plural(counts.warning, 'warning'),
          `${counts.info} info`,
          plural(counts.hint, 'hint'),
        ].join(', ')
  const { grade } = report
  if (grade === null) return `${said}; nothing gradable.\n`
  const cap = grade.cap === 'has-errors' ? ', capped by errors' : grade.cap === null ? '' : ', the document is invalid'
  return `${said}. Grade ${paint('bold', grade.letter)} (${grade.score} of 100${cap}).\n`
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
