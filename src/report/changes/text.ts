import { oneLine } from '../escape.ts'
import type { ChangeSeverity } from '../../diff/change.ts'
import type { ChangeReport, ReportOptions } from '../report.ts'
import {
  breakingOf,
  fileTitleOf,
  groupChanges,
  headlineOf,
  hitLine,
  lineOf,
  placeOf,
  proofOf,
  tellOnce,
  type ToldChange,
} from './outline.ts'

const colours: Record<ChangeSeverity | 'bold' | 'dim', string> = {
  breaking: '31',
  'non-breaking': '32',
  'docs-only': '36',
  bold: '1',
  dim: '2',
}

const margin = ' '.repeat(16)

/** For people at a terminal: the verdict, then the changes by operation. */
export const changesAsText = (report: ChangeReport, options: ReportOptions): string => {
  const paint = (style: keyof typeof colours, text: string): string =>
    options.colour ? `\u001b[${colours[style]}m${text}\u001b[0m` : text
  const line = (change: ToldChange): string[] => {
    const place = placeOf(change, report)
    const label = change.classification === 'unknown' ? 'undecided' : change.severity
    const proof = proofOf(change)
    const hits = hitLine(change, report)
    // Enough of the fingerprint to accept the change by it.
    const mark = change.alike > 1 ? `(${change.alike} changes)` : `#${change.fingerprint.slice(0, 8)}`
    const print = change.severity === 'breaking' || change.alike > 1 ? paint('dim', `  ${mark}`) : ''
    const way = change.direction === null ? '' : paint('dim', ` (${change.direction})`)
    return [
      `  ${paint(change.severity, label.padEnd(12))}  ${oneLine(change.message)}${way}${place === null ? '' : paint('dim', `  ${oneLine(lineOf(place))}`)}${print}`,
      ...(proof ? [`${margin}${paint('dim', oneLine(proof))}`] : []),
      ...(hits ? [`${margin}${oneLine(hits)}`] : []),
    ]
  }
  const lines = [paint('bold', `${headlineOf(report)}: ${oneLine(report.base)} → ${oneLine(report.head)}`)]
  if (report.changes.length > 0) lines.push('')
  let file: string | null = null
  for (const group of groupChanges(tellOnce(report.changes))) {
    if (group.file !== null && group.file !== file)
      lines.push(paint('bold', `── ${oneLine(fileTitleOf(group.file, report))}`))
    file = group.file
    lines.push(paint('bold', oneLine(group.title)), ...group.changes.flatMap(line), '')
  }
  if (report.changes.length > 0) {
    const { proven, undecided } = breakingOf(report)
    const also = undecided === 0 ? '' : `${undecided} undecided, `
    lines.push(
      `${proven} breaking, ${also}${report.counts['non-breaking']} non-breaking, ${report.counts['docs-only']} documentation only. ${report.verdict}`,
    )
  } else lines.push(report.verdict)
  return `${lines.join('\n')}\n`
}
