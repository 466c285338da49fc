import { visible } from '../escape.ts'
import type { ChangeReport } from '../report.ts'
import { headlineOf, markOf, sentenceOf, titleOf } from './outline.ts'

const levels = { breaking: 'error', 'non-breaking': 'notice', 'docs-only': 'notice' } as const

const data = (text: string): string =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Workflow commands of GitHub Actions: an annotation for each change that is more than documentation. */
export const changesAsAnnotations = (report: ChangeReport): string => {
  const lines = report.changes
    .filter((change) => change.severity !== 'docs-only')
    .map((change) => {
      const mark = markOf(change, report)
      const line = mark?.range ? `,line=${mark.range.start.line + 1}` : ''
      const where = mark === null ? '' : `file=${property(mark.source)}${line},`
      // Annotations are shown one by one, without the headings of other reports.
      const operations = change.operations.length === 0 ? '' : `${titleOf(change.operations)}: `
      return `::${levels[change.severity]} ${where}title=${property(change.id)}::${data(operations + sentenceOf(change, report))}`
    })
  return `${[...lines, data(headlineOf(report))].join('\n')}\n`
}
