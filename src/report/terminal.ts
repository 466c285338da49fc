/** What the formats for people have in common: colours, safe lines, and what is said at the end. */
import type { Severity } from '../lint/finding.ts'
import { countFindings, plural } from './count.ts'
import type { FindingReport, ReportOptions } from './report.ts'

const codes: Record<Severity | 'dim' | 'bold' | 'good', string> = {
  error: '31',
  warning: '33',
  info: '36',
  hint: '35',
  good: '32',
  dim: '2',
  bold: '1',
}

export type Paint = (style: keyof typeof codes, text: string) => string

/** Paints where colours are wanted. */
export const painter = (options: ReportOptions): Paint =>
  options.colour ? (style, text) => `\u001b[${codes[style]}m${text}\u001b[0m` : (_, text) => text

/** What a document says must not steer the terminal: line breaks become spaces, other control characters U+FFFD. */
export const oneLine = (text: string): string => text.replaceAll(/\s*[\r\n]\s*/g, ' ').replaceAll(/\p{Cc}/gu, '\uFFFD')

// What would raise the score most for the fewest places to mend.
function gains({ grade }: FindingReport): string {
  if (grade === null || grade.letter === 'A' || grade.cap === 'invalid-document') return ''
  const cheapest = grade.deductions
    .filter((it) => it.points > 0)
    .toSorted((a, b) => b.points / b.hits - a.points / a.hits || b.points - a.points)
    .slice(0, 5)
    .map((it) => `${it.code} +${it.points.toFixed(1)} (${plural(it.hits, 'place')})`)
  return cheapest.length === 0 ? '' : `Cheapest gains: ${cheapest.join(', ')}.\n`
}

/** Counts, grade, and how to get a better one. */
export function summarize(report: FindingReport, paint: Paint): string {
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
  return `${said}. Grade ${paint('bold', grade.letter)} (${grade.score} of 100${cap}).\n${gains(report)}`
}
