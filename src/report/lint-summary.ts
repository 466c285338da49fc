/** What the summary of a lint run says to programs. */
import type { Document } from '../document/document.ts'
import type { ToolTokens } from '../lint/descriptors/budget.ts'
import type { Severity } from '../lint/finding.ts'
import { type GradeResult, quickWins } from '../lint/grade.ts'

/** The parts that every run has. */
export interface LintSummary {
  /** The name of the style guide. */
  readonly guide: string
  /** Of all findings, also of those that are not shown. */
  readonly counts: Readonly<Record<Severity, number>>
  /** The worst grade of the documents; null where nothing was graded. */
  readonly grade: GradeResult | null
  /** What the tools of all documents cost; null where none lists tools. */
  readonly tools: ToolTokens | null
  readonly documents: readonly {
    readonly document: Pick<Document, 'source'>
    readonly grade: GradeResult | null
    readonly tools: ToolTokens | null
  }[]
}

/**
 * `{guide, counts, grade, tools, gains, documents}`, and what only some runs have between and behind them.
 * @param before the fields after the guide, `within` those after the counts, `after` the last ones
 */
export const summarizeLint = (
  { guide, counts, grade, tools, documents }: LintSummary,
  { before = {}, within = {}, after = {} }: { before?: object; within?: object; after?: object } = {},
): object => ({
  guide,
  ...before,
  counts,
  ...within,
  grade,
  ...(tools === null ? {} : { tools }),
  gains: grade === null ? [] : quickWins(grade),
  documents: documents.map((it) => ({
    source: it.document.source,
    grade: it.grade,
    ...(it.tools === null ? {} : { tools: it.tools }),
  })),
  ...after,
})
