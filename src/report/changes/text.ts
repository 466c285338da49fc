import type { Change, ChangeSeverity } from '../../diff/change.ts'
import type { ChangeReport, ReportOptions } from '../report.ts'
import { groupChanges, headlineOf, lineOf, proofOf } from './outline.ts'

const colours: Record<ChangeSeverity | 'bold' | 'dim', string> = {
  breaking: '31',
  'non-breaking': '32',
  'docs-only': '36',
  bold: '1',
  dim: '2',
}

/** For people at a terminal: the verdict, then the changes by operation. */
export const changesAsText = (report: ChangeReport, options: ReportOptions): string => {
  const paint = (style: keyof typeof colours, text: string): string =>
    options.colour ? `\u001b[${colours[style]}m${text}\u001b[0m` : text
  const line = (change: Change): string[] => {
    const at = lineOf(change)
    const place = at === null ? '' : paint('dim', `  ${change.head ? report.head : report.base}:${at}`)
    const label = change.classification === 'unknown' ? 'undecided' : change.severity
    const proof = proofOf(change)
    return [
      `  ${paint(change.severity, label.padEnd(12))}  ${change.message.replaceAll(/\s*\n\s*/g, ' ')}${place}`,
      ...(proof ? [`  ${' '.repeat(12)}  ${paint('dim', proof)}`] : []),
      ...(change.consumers.length > 0 ? [`  ${' '.repeat(12)}  hits ${change.consumers.join(', ')}`] : []),
    ]
  }
  const lines = [paint('bold', `${headlineOf(report)}: ${report.base} → ${report.head}`)]
  if (report.changes.length > 0) lines.push('')
  for (const group of groupChanges(report.changes)) {
    lines.push(paint('bold', group.title), ...group.changes.flatMap(line), '')
  }
  if (report.changes.length > 0) {
    lines.push(
      `${report.counts.breaking} breaking, ${report.counts['non-breaking']} non-breaking, ${report.counts['docs-only']} documentation only. ${report.verdict}`,
    )
  } else lines.push(report.verdict)
  return `${lines.join('\n')}\n`
}
