import type { ChangeReport } from '../report.ts'
import { headlineOf, lineOf, proofOf } from './outline.ts'

const levels = { breaking: 'error', 'non-breaking': 'notice', 'docs-only': 'notice' } as const

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Workflow commands of GitHub Actions: an annotation for each change that is more than documentation. */
export const changesAsAnnotations = (report: ChangeReport): string => {
  const lines = report.changes
    .filter((change) => change.severity !== 'docs-only')
    .map((change) => {
      const line = lineOf(change)
      const file = change.head ? report.head : report.base
      const where = line === null ? '' : `file=${property(file)},line=${line},`
      const proof = proofOf(change)
      return `::${levels[change.severity]} ${where}title=${property(change.id)}::${data(proof ? `${change.message} ${proof}.` : change.message)}`
    })
  return `${[...lines, data(headlineOf(report))].join('\n')}\n`
}
