/** A classified comparison as it is sent: a report, or the JSON of the contract. */
import { apiVersion } from '../../../src/api/version.ts'
import { assertComparable } from '../../../src/diff/comparable.ts'
import { conclusionOf } from '../../../src/diff/conclusion.ts'
import { documentVersionOf } from '../../../src/diff/next-version.ts'
import type { DiffOptions, DiffResult } from '../../../src/diff/options.ts'
import { rules } from '../../../src/diff/rules.ts'
import { narrowTo, type Scope, type ScopeSummary } from '../../../src/diff/scope.ts'
import { type WrittenChange, writtenChanges } from '../../../src/diff/written.ts'
import type { Document } from '../../../src/document/document.ts'
import html from '../../../src/report/formats/html.ts'
import junit from '../../../src/report/formats/junit.ts'
import markdown from '../../../src/report/formats/markdown.ts'
import sarif from '../../../src/report/formats/sarif.ts'
import type { ReportFormat } from '../../../src/report/report.ts'
import { impactReport } from '../impact-report.ts'
import { both, type Desk } from '../desk.ts'
import { assertReadable } from './readable.ts'
import type { LiveConsumer, ProjectImpact } from '../impacts.ts'
import { impactOn } from './impact.ts'

const formats = { html, junit, markdown, sarif } as const

/** The reports that a comparison is written as. */
export type ReportName = keyof typeof formats

/** How the answer is written: null is the JSON of the contract, `pages` its pages, each on a line of its own. */
export type Written = ReportName | 'pages' | null

/** A side of the comparison as the answer names it. */
interface Side {
  readonly kind: 'stored' | 'inline'
  readonly project_id: string | null
  readonly version_id: string | null
  readonly label: string
  readonly digest: string
}

interface Asked {
  readonly base: Side
  readonly head: Side
  readonly format: Written
  readonly options: DiffOptions
  readonly scope: Scope | null
  /** Null where the request does not ask about consumers. */
  readonly live: readonly LiveConsumer[] | null
  /** Whether the request names accepted changes. */
  readonly accepts: boolean
  /** For reports that say it. */
  readonly grade?: { readonly before: string | null; readonly after: string | null }
}

interface Answered extends Asked {
  readonly documents: readonly [Document, Document]
  readonly result: DiffResult
  readonly impact: ProjectImpact | null
  /** Null where all operations are compared. */
  readonly summary: ScopeSummary | null
}

const asReport = (format: ReportFormat, { base, head, result, impact, summary, grade }: Answered): string => {
  const report = {
    ...result,
    base: base.label,
    head: head.label,
    toolVersion: apiVersion,
    at: new Date().toISOString(),
    verdict: conclusionOf(result, summary),
    consumers: impact?.consumers.map((it) => ({ handle: it.handle, name: it.name, impact: it })) ?? null,
    ruleOf: (id: string) => rules.get(id),
    ...(summary === null ? {} : { scope: summary }),
    ...(grade === undefined ? {} : { grade }),
  }
  return format.changes?.(report, { colour: false }) ?? ''
}

/** The accepted changes, which name their operations as those of the answer do. */
const ignoredOf = ({ ignored }: DiffResult): readonly object[] => {
  const written = writtenChanges(ignored.map(({ change }) => change))
  return ignored.map(({ reason }, at) => ({ change: written[at], reason }))
}

const asJson = ({ base, head, documents, result, impact, summary, accepts }: Answered): string =>
  JSON.stringify({
    changes: writtenChanges(result.changes),
    counts: result.counts,
    maxSeverity: result.maxSeverity,
    base: { ...base, document_version: documentVersionOf(documents[0]) },
    head: { ...head, document_version: documentVersionOf(documents[1]) },
    ...(result.witness === undefined ? {} : { witness: result.witness }),
    ...(accepts ? { ignored: ignoredOf(result) } : {}),
    ...(summary === null ? {} : { scope: summary }),
    ...(impact === null ? {} : { consumers: impactReport(impact) }),
  })

// Of JSON, before it is compressed.
const pageCharacters = 400_000
const longestValue = 100_000

interface PageEntry {
  readonly json: string
  /** Its fingerprint where a value was left out. */
  readonly omitted: string | null
}

/** A change as a page has it: without values that would be a page by themselves, such as a whole extension of the document. */
function pageEntryOf(change: WrittenChange): PageEntry {
  const json = JSON.stringify(change)
  if (json.length <= longestValue) return { json, omitted: null }
  const isLong = (value: unknown): boolean => (JSON.stringify(value)?.length ?? 0) > longestValue
  const { before, after, witness } = change
  const long = { before: isLong(before), after: isLong(after), witness: isLong(witness) }
  if (!long.before && !long.after && !long.witness) return { json, omitted: null }
  const short = {
    ...change,
    before: long.before ? null : before,
    after: long.after ? null : after,
    witness: long.witness ? null : witness,
  }
  return { json: JSON.stringify(short), omitted: change.fingerprint }
}

/** The changes in pages of a limited size, none of which is empty but the only one of a comparison without changes. */
function inPages(changes: readonly PageEntry[]): readonly (readonly PageEntry[])[] {
  const pages: PageEntry[][] = [[]]
  let size = 0
  for (const change of changes) {
    const page = pages.at(-1) ?? []
    if (page.length > 0 && size + change.json.length > pageCharacters) {
      pages.push([change])
      size = change.json.length
    } else {
      page.push(change)
      size += change.json.length
    }
  }
  return pages
}

const asPages = ({ base, head, documents, result, impact }: Answered): string => {
  const pages = inPages(writtenChanges(result.changes).map(pageEntryOf))
  const conclusion = {
    counts: result.counts,
    maxSeverity: result.maxSeverity,
    base: { ...base, document_version: documentVersionOf(documents[0]) },
    head: { ...head, document_version: documentVersionOf(documents[1]) },
    ...(result.witness === undefined ? {} : { witness: result.witness }),
    pages: pages.length,
    total: result.changes.length,
  }
  return pages
    .map((changes, page) => {
      const consumers = impact !== null && page === 0 ? { consumers: impactReport(impact) } : {}
      const omitted = changes.flatMap((it) => it.omitted ?? [])
      const rest = JSON.stringify({ ...conclusion, page, omitted, ...consumers })
      return `${rest.slice(0, -1)},"changes":[${changes.map(({ json }) => json).join(',')}]}`
    })
    .join('\n')
}

const write = (format: Written, answered: Answered): string => {
  if (format === null) return asJson(answered)
  return format === 'pages' ? asPages(answered) : asReport(formats[format], answered)
}

/**
 * The comparison as the bytes of its answer.
 * @throws SvcError `document-invalid`, `usage`, and what `assertComparable` refuses
 */
export function run(asked: Asked, desk: Desk): Uint8Array<ArrayBuffer> {
  const { options, scope, live, format } = asked
  const [base, head] = both(desk)
  const [older, newer] = [desk.engine.document(base), desk.engine.document(head)]
  if (asked.head.kind === 'inline') assertReadable(newer)
  assertComparable(older, newer, options.mode)
  const compared = desk.engine.compare(base, head, options)
  const impact = live === null ? null : impactOn({ changes: compared.changes, live }, desk)
  const whole = impact === null ? compared : { ...compared, changes: impact.changes }
  const { result, summary } = scope === null ? { result: whole, summary: null } : narrowTo(scope, whole, older, newer)
  const answered = { ...asked, documents: [older, newer] as const, result, impact, summary }
  return new TextEncoder().encode(write(format, answered))
}
