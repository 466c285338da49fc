/** One comparison of two documents in this process, and what every comparison answers, wherever it was made. */
import { assertComparable } from '../../src/diff/comparable.ts'
import { diff } from '../../src/diff/diff.ts'
import { documentVersionOf } from '../../src/diff/next-version.ts'
import type { DiffResult } from '../../src/diff/options.ts'
import { anchorsIn, inFiles } from '../../src/diff/places.ts'
import { narrowTo, type ScopeSummary } from '../../src/diff/scope.ts'
import type { Document } from '../../src/document/document.ts'
import type { ChangeReport, ReportConsumer } from '../../src/report/report.ts'
import { inOverlays, writtenSide } from './overlaid.ts'
import { engineOptions, type Settings } from './settings.ts'

/** What came out of comparing two sides. */
export interface Compared {
  /** The names of the sides, as a person knows them. */
  readonly base: string
  readonly head: string
  readonly result: DiffResult
  readonly anchors: NonNullable<ChangeReport['anchors']>
  /** Null where they were not asked for. */
  readonly consumers: readonly ReportConsumer[] | null
  readonly scope: ScopeSummary | null
  /** What the documents call their versions. */
  readonly versions: { readonly base: string | null; readonly head: string | null }
  /** The service's own markdown, where it was asked for that. */
  readonly markdown?: string
}

/** Adds the affected consumers to a result. */
export type WithConsumers = (
  result: DiffResult,
  base: Document,
  head: Document,
) => Promise<{ readonly result: DiffResult; readonly consumers: readonly ReportConsumer[] }>

/**
 * Compares two documents.
 * @throws SvcError `document-invalid` for what cannot be compared, `usage` for filters and modes that do not fit the documents
 */
export async function compareDocuments(
  base: Document,
  head: Document,
  settings: Settings,
  withConsumers: WithConsumers | null,
): Promise<Compared> {
  assertComparable(base, head, settings.mode)
  const options = engineOptions(settings)
  const found = diff(base, head, options)
  // What led to the changes is garbage by now, and writing them takes memory of its own.
  options.pause()
  const affected = withConsumers === null ? null : await withConsumers(found, base, head)
  const whole = affected?.result ?? found
  const narrowed =
    settings.scope === null ? { result: whole, summary: null } : narrowTo(settings.scope, whole, base, head)
  return {
    base: base.source,
    head: head.source,
    result: inOverlays(inFiles(narrowed.result, base, head), base, head),
    anchors: new Map([...anchorsIn(head, found.changes)].map(([key, at]) => [key, writtenSide(at, head, true)])),
    consumers: affected?.consumers ?? null,
    scope: narrowed.summary,
    versions: { base: documentVersionOf(base), head: documentVersionOf(head) },
  }
}
