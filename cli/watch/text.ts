/** What `svc watch` prints: plain lines, coloured where the terminal shows that. */
import { countFindings } from '../../src/report/count.ts'
import { oneLine } from '../../src/report/escape.ts'
import { painter, type Paint } from '../../src/report/terminal.ts'
import type { Change } from '../../src/diff/change.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { plural } from '../../src/kernel/plural.ts'
import type { DocumentRound, Round, State } from './rounds.ts'

/** More lines than this of one kind are counted only. */
const mostLines = 40

const clock = (at: Date): string => at.toTimeString().slice(0, 8)

const gradeOf = ({ grade }: Pick<DocumentRound, 'grade'>): string =>
  grade === null ? '' : ` Grade ${grade.letter} (${grade.score} of 100).`

function listed<T>(sign: string, items: readonly T[], line: (it: T) => string): string {
  const shown = items.slice(0, mostLines).map((it) => `  ${sign} ${line(it)}\n`)
  const more = items.length > mostLines ? `  ${sign} … and ${items.length - mostLines} more\n` : ''
  return shown.join('') + more
}

const findingLine =
  (paint: Paint) =>
  ({ source, range: { start }, severity, code, message }: Finding): string =>
    `${oneLine(source)}:${start.line + 1}:${start.character + 1}  ${paint(severity, severity)}  ${oneLine(code)}  ${oneLine(message)}`

const changeStyles = { breaking: 'error', 'non-breaking': 'good', 'docs-only': 'dim' } as const

const changeLine =
  (paint: Paint) =>
  ({ severity, classification, message, operations }: Change): string => {
    const label = classification === 'unknown' ? 'undecided' : severity
    const [operation] = operations
    const more = operations.length > 1 ? ` (+${operations.length - 1})` : ''
    return `${paint(changeStyles[severity], label)}  ${operation === undefined ? '' : `${oneLine(operation)}${more}: `}${oneLine(message)}`
  }

function writeComparison({ comparison }: DocumentRound, paint: Paint): string {
  if (comparison === null) return ''
  const { added, gone, base, conclusion } = comparison
  const line = changeLine(paint)
  return `${listed('+', added, line)}${listed('-', gone, line)}  Compared with ${oneLine(base)}: ${oneLine(conclusion)}\n`
}

/** An error that watching survives. */
export const writeError = (message: string, at: Date, colour: boolean): string => {
  const paint = painter({ colour })
  return `${paint('dim', clock(at))} ${paint('error', 'error:')} ${message}\n`
}

/** What is said when watching begins. */
export function writeStart({ documents, findings }: State, colour: boolean): string {
  const paint = painter({ colour })
  const counts = countFindings(findings)
  const lines = documents.map(
    ({ source, grade, comparison }) =>
      `  ${oneLine(source)}${gradeOf({ grade }) === '' ? '' : `:${gradeOf({ grade })}`}${comparison === null ? '' : ` Compared with ${oneLine(comparison.base)}: ${oneLine(comparison.conclusion)}`}\n`,
  )
  const shown = lines.slice(0, mostLines)
  const more = lines.length > mostLines ? `  … and ${lines.length - mostLines} more\n` : ''
  return (
    `${paint('bold', `Watching ${plural(documents.length, 'document')}`)}: ` +
    `${plural(counts.error, 'error')}, ${plural(counts.warning, 'warning')}, ${counts.info} info, ${plural(counts.hint, 'hint')}. Ctrl-C ends it.\n${shown.join('')}${more}`
  )
}

/** What a save changed. */
export function writeRound({ documents, findings }: Round, at: Date, colour: boolean): string {
  const paint = painter({ colour })
  const names = documents.map(({ source, event }) => (event === 'changed' ? source : `${source} (${event})`))
  const title = names.length === 0 ? 'settings' : names.slice(0, 5).map(oneLine).join(', ')
  const more = names.length > 5 ? ` and ${names.length - 5} more` : ''
  const { added, gone, count } = findings
  const said =
    added.length + gone.length === 0
      ? `The findings are the same (${count}).`
      : `Findings: ${added.length} new, ${gone.length} gone, ${count} in all.`
  const [only] = documents.length === 1 ? documents : []
  const line = findingLine(paint)
  return (
    `${paint('dim', clock(at))} ${paint('bold', title + more)}\n` +
    listed(paint('error', '+'), added, line) +
    listed(paint('good', '-'), gone, line) +
    `  ${said}${only === undefined ? '' : gradeOf(only)}\n` +
    documents.map((it) => writeComparison(it, paint)).join('')
  )
}
