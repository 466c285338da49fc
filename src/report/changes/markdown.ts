import type { Change } from '../../diff/change.ts'
import type { ChangeReport } from '../report.ts'
import { plural } from '../count.ts'
import { codeSpan } from '../escape.ts'
import { groupChanges, headlineOf, inline, withSeverity } from './outline.ts'

const most = 200

const escape = (text: string): string =>
  text.replaceAll(/[<>]/g, (it) => (it === '<' ? '&lt;' : '&gt;')).replaceAll(/\s*\n\s*/g, ' ')

const item = (change: Change): string => {
  const lines = [
    `- ${escape(change.message)}${change.classification === 'unknown' ? ' **(undecided)**' : ''} ${codeSpan(change.id)}`,
  ]
  if (change.witness) {
    const { acceptedBy } = change.witness
    lines.push(`  - example: ${codeSpan(inline(change.witness.value))}, valid for the ${acceptedBy} document only`)
  }
  if (change.consumers.length > 0) lines.push(`  - hits ${change.consumers.map(codeSpan).join(', ')}`)
  return lines.join('\n')
}

const sections = (changes: readonly Change[], heading: string): string[] => {
  const lines: string[] = []
  let shown = 0
  for (const group of groupChanges(changes)) {
    if (shown >= most) break
    lines.push(`${heading} ${escape(group.title)}`, '')
    if (group.operations.length > 2) {
      lines.push(
        `<details><summary>${group.operations.length} operations</summary>`,
        '',
        ...group.operations.map((it) => `- ${codeSpan(it)}`),
        '',
        '</details>',
        '',
      )
    }
    for (const change of group.changes) {
      if (shown++ >= most) break
      lines.push(item(change))
    }
    lines.push('')
  }
  if (changes.length > most) lines.push(`… and ${plural(changes.length - most, 'more change')}.`, '')
  return lines
}

const folded = (changes: readonly Change[], noun: string): string[] =>
  changes.length === 0
    ? []
    : [
        `<details><summary>${plural(changes.length, noun)}</summary>`,
        '',
        ...sections(changes, '####'),
        '</details>',
        '',
      ]

/** What stays the same over the runs of one comparison, so that a comment can be found and updated. */
const markerOf = (report: ChangeReport): string => {
  // A side that is a stored version names the project, whichever it is.
  const stored = [report.base, report.head].find((side) => /^[^/@\\]+@[^/\\]+$/.test(side))
  const name = (stored ?? report.head)
    .split('@')[0]!
    .replaceAll(/[^\w./-]+/g, '-')
    .replaceAll('--', '-')
  return `<!-- svc-diff: ${name} -->`
}

const symbols = { breaking: '🛑', 'non-breaking': '✅', 'docs-only': '✅' } as const

/** Markdown for a pull request: the verdict first, what breaks with its proof, the rest folded. */
export const changesAsMarkdown = (report: ChangeReport): string => {
  const symbol = report.maxSeverity === null ? '✅' : symbols[report.maxSeverity]
  const lines = [
    markerOf(report),
    `## ${symbol} ${headlineOf(report)}`,
    '',
    `${escape(report.verdict)} ${codeSpan(report.base)} → ${codeSpan(report.head)}`,
    '',
  ]
  const breaking = withSeverity(report, 'breaking')
  if (breaking.length > 0) lines.push(...sections(breaking, '###'))
  lines.push(...folded(withSeverity(report, 'non-breaking'), 'non-breaking change'))
  lines.push(...folded(withSeverity(report, 'docs-only'), 'documentation change'))
  return `${lines.join('\n').trimEnd()}\n`
}
