import type { Document, Format, Problem } from '../../src/document/document.ts'
import type { Path } from '../../src/document/json.ts'
import type { Operation } from '../../src/import/importer.ts'
import type { Origin } from '../../src/import/bundle/bundle.ts'
import type { Finding, Severity } from '../../src/lint/finding.ts'
import type { Deduction, GradeLetter, GradeResult, RuleHits } from '../../src/lint/grade.ts'
import type { SkippedRule } from '../../src/lint/lint.ts'
import type { OperationText } from '../../src/spec/words.ts'
import type { LintGuide } from './guide.ts'

/** A text to be analysed, and how it is to be read. */
export interface Subject {
  /** The same for the same text read in the same way: what was found may be remembered by it. */
  readonly key: string
  readonly text: string
  /** The name that findings show. */
  readonly source: string
  /** Id of an import format, or "auto". */
  readonly format: string
  readonly projectNameField: string | null
  /** The syntax of the text, where it is known; the source's name tells it otherwise. */
  readonly syntax: 'json' | 'yaml' | null
}

/** What a text holds, whatever a style guide says of it. Plain data: it may come out of another process. */
export interface Facts {
  readonly syntax: 'json' | 'yaml'
  readonly format: Format
  /** What the document itself says it is. */
  readonly ownFormat: Format | null
  /** It is a document of a known format: it can be stored and rendered. */
  readonly isReadable: boolean
  /** It can be read and is of no known format: there is nothing to grade. */
  readonly isForeign: boolean
  readonly title: string
  readonly description: string | null
  readonly operations: readonly Operation[]
  /** What is searched of each operation. */
  readonly words: readonly OperationText[]
  readonly classNames: readonly string[]
  /** The error code that stands for what makes the document invalid. */
  readonly refusal: 'document-invalid' | 'format-unknown'
  /** What makes the document invalid. */
  readonly problems: readonly Problem[]
  /** Why it cannot be read, where no problem with a place says so. */
  readonly reason: string | null
  readonly unresolvedRefs: number
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

/** A text that was parsed and no more. Plain data. */
export interface Opened extends Pick<Facts, 'syntax' | 'ownFormat'> {
  /** Its value as JSON; parsing that takes a fraction of what reading the text takes. */
  readonly json: string
  readonly problems: readonly Problem[]
  /** Its first error with its place, "head.yaml:3:1: …"; null where it can be read. */
  readonly fault: string | null
}

/** What a style guide says of a text. Plain data as well. */
export interface Verdict {
  readonly findings: readonly Finding[]
  /** Faults of the structure that no finding told already. */
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

/** A problem of one file of several. */
export interface PlacedProblem {
  readonly source: string
  readonly problem: Problem
}

/** Of a text that was made of several files: where its author wrote what. */
export interface Authorship {
  readonly originOf?: ((path: Path) => Origin) | undefined
  /** What is wrong with the texts of the other files, each with its file. */
  readonly faults?: readonly PlacedProblem[]
}

/** Everything the service knows of a document before it is stored. */
export interface Analysis extends Omit<Facts, 'problems' | 'reason' | 'isForeign'> {
  readonly subject: Subject
  readonly facts: Facts
  readonly authorship: Authorship
  /** Parsed when it is first looked into. */
  readonly document: Document
  /** What makes the document invalid, each with its place. */
  readonly invalid: readonly string[]
  readonly findings: readonly Finding[]
  readonly grade: Graded
  /** The rules that applied and found nothing to look at. */
  readonly idle: readonly string[]
  /** The rules that would have applied and cannot run, with the reason. */
  readonly skipped: readonly SkippedRule[]
  /** The style guide that the findings and the grade are of. */
  readonly guide: Pick<LintGuide, 'id' | 'name' | 'digest'>
}
