import type { CatalogFacts } from '../../src/backstage/catalog-entity.ts'
import type { Format, Problem } from '../../src/document/document.ts'
import type { Operation } from '../../src/import/importer.ts'
import type { ToolTokens } from '../../src/lint/descriptors/budget.ts'
import type { Finding, Severity } from '../../src/lint/finding.ts'
import type { Deduction, GradeLetter, GradeResult, RuleHits } from '../../src/lint/grade.ts'
import type { SkippedRule } from '../../src/lint/lint.ts'
import type { OperationText } from '../../src/spec/words.ts'
import type { LintGuide } from '../guide-rules/door.ts'
import type { Subject } from './subject.ts'

/** What a text holds, whatever a style guide says of it. Plain data: it may come out of another process. */
export interface Facts {
  readonly syntax: 'json' | 'yaml'
  readonly format: Format
  /** What the document itself says it is. */
  readonly ownFormat: Format | null
  /** Its text could be parsed: without that it is graded F. */
  readonly isText: boolean
  /** It is a document of a known format: it can be stored and rendered. */
  readonly isReadable: boolean
  /** It can be read and is of no known format: there is nothing to grade. */
  readonly isForeign: boolean
  readonly title: string
  readonly description: string | null
  /** What its info says of owner, lifecycle and tags. */
  readonly project: Pick<CatalogFacts, 'owner' | 'lifecycle' | 'tags'>
  readonly operations: readonly Operation[]
  /** What is searched of each operation. */
  readonly words: readonly OperationText[]
  readonly classNames: readonly string[]
  /** The error code for what makes the document invalid. */
  readonly refusal: 'document-invalid' | 'format-unknown'
  /** What a document of no known format is, where that is known: "it is AsyncAPI 3.0.0: …". */
  readonly family: string | null
  /** What makes the document invalid. */
  readonly problems: readonly Problem[]
  /** Why it cannot be read, where no problem with a place says so. */
  readonly reason: string | null
  readonly unresolvedRefs: number
  /** How many references lead out of it, where a registry may know what they name. */
  readonly outwardRefs: number
  readonly warnings: { code: string; message: string; pointer: string }[]
  /** What the plan of an import needs. */
  readonly summary: {
    readonly name: string
    readonly version: string
    readonly operations: number
    readonly classes: number
    readonly kind: string
    readonly classNames: readonly string[]
  }
}

/** What a style guide says of a text. Plain data as well. */
export interface Verdict {
  readonly findings: readonly Finding[]
  /** Structural problems that no finding reports already. */
  readonly structural: readonly Problem[]
  readonly rules: readonly RuleHits[]
  /** Rules that would have applied and cannot run, with the reason. */
  readonly skipped: readonly SkippedRule[]
}

/** A grade as the contracts show it. */
export interface Graded {
  readonly grade: GradeLetter | null
  readonly score: number | null
  /** Why the letter is lower than the score alone would make it; null when it is not. */
  readonly cap: GradeResult['cap']
  readonly counts: Record<Severity, number>
  readonly deductions: Deduction[]
}

/** What was found of a document under a guide. Plain data: it comes out of another process. */
export interface Conclusion extends Omit<Facts, 'problems' | 'reason' | 'isForeign' | 'isText'> {
  /** What makes the document invalid, each with its place. */
  readonly invalid: readonly string[]
  readonly findings: readonly Finding[]
  readonly grade: Graded
  /** What the tools that it lists cost; null for a document that is not of an MCP server. */
  readonly tools: ToolTokens | null
  /** The rules that applied and found nothing to look at. */
  readonly idle: readonly string[]
  /** The rules that would have applied and cannot run, with the reason. */
  readonly skipped: readonly SkippedRule[]
  /** The style guide that the findings and the grade are of. */
  readonly guide: Pick<LintGuide, 'id' | 'name' | 'digest'>
  /** How many files it was made of. */
  readonly files: number
}

/** Everything the service knows of a document before it is stored. */
export interface Analysis extends Conclusion {
  readonly subject: Subject
  /** The key of the subject with the registered types that it was linted with. */
  readonly lintedAs: string
}
