import { oneLine } from '../escape.ts'
import { changesAsText } from '../changes/text.ts'
import { framesOf } from '../frame.ts'
import type { Finding } from '../../lint/finding.ts'
import type { FindingReport, ReportFormat, ReportOptions } from '../report.ts'
import { guidance, painter, summarize, type Paint } from '../terminal.ts'

const widest = (texts: readonly string[]): number => texts.reduce((most, it) => Math.max(most, it.length), 0)

const placeOf = ({ source, range }: Finding): string =>
  `${oneLine(source)}:${range.start.line + 1}:${range.start.character + 1}`

// The first finding of each rule shows the place and what to do; the others are a line each.
function writeSource(
  report: FindingReport,
  its: readonly Finding[],
  shown: Set<string>,
  options: ReportOptions,
): string {
  const paint = painter(options)
  const text = report.sources.get(its[0]?.source ?? '') ?? null
  const frame = text === null ? null : framesOf(text)
  const places = its.map(placeOf)
  const [placeWidth, codeWidth] = [widest(places), widest(its.map((it) => it.code))]
  const severityWidth = widest(its.map((it) => it.severity))
  const lines = its.map((entry, at) => {
    const severity = paint(entry.severity, entry.severity.padEnd(severityWidth))
    const code = paint('dim', oneLine(entry.code).padEnd(codeWidth))
    const line = `${(places[at] ?? '').padEnd(placeWidth)}  ${severity}  ${code}  ${oneLine(entry.message)}${reachOf(report, entry, paint)}\n`
    if (shown.has(entry.code) || options.isBrief === true) return line
    shown.add(entry.code)
    return `${line}${frame?.(entry.range, options) ?? ''}${guidance(report, entry, options)}`
  })
  return `${lines.join('')}\n`
}

function reachOf({ reach }: FindingReport, finding: Finding, paint: Paint): string {
  const count = reach?.get(finding) ?? 0
  return count > 1 ? paint('dim', ` (reached by ${count} operations)`) : ''
}

/** A line for each finding, the first of each rule with its place and what to do; then counts and grade. */
export default {
  id: 'text',
  summary: 'for people: a line for each finding; the first of each rule with its source line and remedy',
  mediaType: 'text/plain',
  findings: (report, options) => {
    const shown = new Set<string>()
    const bySource = Map.groupBy(report.findings, (it) => it.source)
    const blocks = [...bySource.values()].map((its) => writeSource(report, its, shown, options))
    return blocks.join('') + summarize(report, options)
  },
  changes: changesAsText,
} satisfies ReportFormat as ReportFormat
