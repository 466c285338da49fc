/** One document, linted and graded. */
import type { Document, Problem } from '../document/document.ts'
import type { Documents } from '../document/reference.ts'
import { type ToolTokens, toolTokensOf } from './descriptors/budget.ts'
import type { Finding } from './finding.ts'
import { grade, type GradeResult } from './grade.ts'
import { lintAndWait, type LintOptions, type SkippedRule } from './lint.ts'
import type { Ruleset } from './rule.ts'
import type { GuideOptions } from './ruleset.ts'
import { readSuppressions, type Suppressions } from './suppressions/suppress.ts'
import { ungradedFinding } from './ungraded.ts'

/** What was found in one document. */
export interface LintedDocument {
  readonly document: Document
  /** By their places. */
  readonly findings: readonly Finding[]
  readonly grade: GradeResult | null
  /** What the tools that it lists cost; null for other documents. */
  readonly tools: ToolTokens | null
  readonly readable: boolean
  /** The rules that cannot run, with the reason. */
  readonly skipped: readonly SkippedRule[]
  /** The rules that applied, and whether they found anything to look at. */
  readonly matched: ReadonlyMap<string, boolean>
  /** What it and the documents that it refers to suppress, by source. */
  readonly suppressions: ReadonlyMap<string, Suppressions>
}

/** A document to lint, and those that its references lead to. */
export interface LintTarget {
  readonly document: Document
  readonly documents: Documents
}

export interface LintTargetOptions extends Pick<LintOptions, 'pace' | 'knowsTypes' | 'beside'> {
  readonly chosen: boolean
  /** The name of the guide, where a finding says that none of its rules applied. */
  readonly name?: string
  readonly guide?: GuideOptions
}

/**
 * Lints one document; `chosen` where someone named the guide: then it is applied to documents of any kind.
 * @throws what `pace` throws
 */
export async function lintDocument(
  { document, documents }: LintTarget,
  ruleset: Ruleset,
  { chosen, name, guide, pace, knowsTypes = false, beside = null }: LintTargetOptions,
): Promise<LintedDocument> {
  const isBad = ({ code, severity }: Problem): boolean =>
    severity === 'error' && (code !== 'duplicate-key' || (guide?.duplicateKeys ?? 'error') === 'error')
  const readable = !document.problems.some(isBad)
  const unknown = readable && document.format === null && !chosen
  const given = { ...(guide === undefined ? {} : { guide }), ...(pace === undefined ? {} : { pace }) }
  const options = { documents, knowsTypes, fixes: true, beside, ...given }
  const result = await lintAndWait(document, unknown ? {} : ruleset, options)
  const isUngraded = unknown || (name !== undefined && readable && result.rules.length === 0)
  const isTold = result.findings.some((it) => it.code === 'unrecognized-format')
  const found =
    isUngraded && !isTold ? [...result.findings, ungradedFinding(document, name ?? 'the guide')] : result.findings
  return {
    document,
    findings: found,
    tools: toolTokensOf(document),
    grade: unknown ? null : grade(result.rules, readable),
    readable,
    skipped: result.skipped,
    matched: new Map(result.rules.map((it) => [it.code, it.targets > 0])),
    suppressions: new Map(
      [document, ...Object.values(documents)].map((it) => [it.source, readSuppressions(it)] as const),
    ),
  }
}
