/** What the formats for people have in common: colours, safe lines, and what is said at the end. */
import type { Finding, Severity } from '../lint/finding.ts'
import { fixOption } from '../lint/fix/fix.ts'
import { quickWins } from '../lint/grade.ts'
import { remedyFor } from '../lint/remedies.ts'
import { countsOf, omittedNote } from './count.ts'
import { oneLine } from './escape.ts'
import type { FindingReport, ReportOptions } from './report.ts'
import { plural } from '../kernel/plural.ts'

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

function gains({ grade }: FindingReport): string {
  const cheapest = grade === null ? [] : quickWins(grade)
  const said = cheapest.map(
    (it) =>
      `${oneLine(it.code)} +${it.points.toFixed(1)} (${plural(it.findings, 'finding')}${it.letter === grade?.letter ? '' : `: ${it.letter}`})`,
  )
  return said.length === 0 ? '' : `Quick wins: ${said.join(', ')}.\n`
}

/** What all tools cost, in tokens, and what definitions would save; "" for documents without tools. */
export const toolsLine = ({ tools }: Pick<FindingReport, 'tools'>): string => {
  if (tools === undefined) return ''
  const { count, tokens, savedByDefs } = tools
  const saved = savedByDefs === 0 ? '' : `; "$defs" would save about ${savedByDefs.toLocaleString('en')}`
  return `${plural(count, 'tool')}: ${tokens.toLocaleString('en')} tokens${saved}.\n`
}

/** What to do about a finding and where to read more; "" if unknown. */
export function guidance({ remedies }: FindingReport, finding: Finding, options: ReportOptions): string {
  if (options.isBrief === true) return ''
  const paint = painter(options)
  const { fix, documentationUrl } = finding
  const remedy = remedyFor(remedies, finding)
  const fixable = fix === null ? '' : ` Fixable with ${fixOption(fix)}.`
  const lines = [
    ...(remedy === undefined && fixable === '' ? [] : [`${paint('hint', 'help:')} ${oneLine(remedy ?? '')}${fixable}`]),
    ...(documentationUrl === null ? [] : [paint('dim', oneLine(documentationUrl))]),
  ]
  return lines.map((line) => `    ${line}\n`).join('')
}

/** Counts, grade, and how to get a better one. */
export function summarize(report: FindingReport, options: ReportOptions): string {
  if (options.isBrief === true) return ''
  const paint = painter(options)
  const counts = countsOf(report)
  const left = omittedNote(report)
  const more = left === '' ? '' : `${left}\n`
  const said =
    report.findings.length === 0 && left === ''
      ? paint('good', 'No findings')
      : [
          plural(counts.error, 'error'),
          plural(counts.warning, 'warning'),
          `${counts.info} info`,
          plural(counts.hint, 'hint'),
        ].join(', ')
  const { grade } = report
  if (grade === null) return `${more}${said}; nothing gradable.\n`
  const by = report.guide === undefined ? '' : ` by ${oneLine(report.guide)}`
  const skipped = report.skipped?.size ?? 0
  const without = skipped === 0 ? '' : `, without what was skipped (${skipped})`
  const invalid = grade.cap === null ? '' : ', the document is invalid'
  const cap = grade.cap === 'has-errors' ? ', capped by errors' : invalid
  return `${more}${said}. Grade ${paint('bold', grade.letter)} (${grade.score} of 100${cap})${by}${without}.\n${toolsLine(report)}${gains(report)}`
}
