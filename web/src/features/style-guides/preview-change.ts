import type { Output } from '../../../../src/api/endpoint.ts'
import type { styleGuidesApi } from '../../../../src/api/style-guides.ts'
import type { Finding } from '../lint/queries.ts'

export type Preview = Output<typeof styleGuidesApi.previewCustomRules>

/** What the rules in the editor say of a document, beside what the saved ones say of it. */
export interface PreviewChange {
  /** Findings of rules that the editor holds. */
  readonly own: readonly Finding[]
  /** Findings that the saved rules did not have. */
  readonly added: readonly Finding[]
  /** Findings that only the saved rules had. */
  readonly gone: readonly Finding[]
}

const printOf = ({ fingerprint, severity, message }: Finding): string => `${severity} ${fingerprint} ${message}`

/** The findings of one list that another one has not, as often as it has them more. */
const without = (findings: readonly Finding[], others: readonly Finding[]): Finding[] => {
  const known = new Map<string, number>()
  for (const it of others) known.set(printOf(it), (known.get(printOf(it)) ?? 0) + 1)
  return findings.filter((it) => {
    const left = known.get(printOf(it)) ?? 0
    known.set(printOf(it), left - 1)
    return left <= 0
  })
}

/** Compares a preview with that of the saved rules on the same document. */
export const comparePreviews = (saved: Preview, draft: Preview): PreviewChange => {
  const ids = new Set(draft.rules.map((it) => it.id))
  return {
    own: draft.findings.filter((it) => ids.has(it.code)),
    added: without(draft.findings, saved.findings),
    gone: without(saved.findings, draft.findings),
  }
}
