import type { Change, ChangeSeverity, Witness } from '../diff/change.ts'
import type { ConsumerImpact } from '../contracts/impact.ts'
import type { Rule } from '../diff/rule.ts'
import type { ScopeSummary } from '../diff/scope.ts'
import type { Range } from '../document/position.ts'
import type { ToolTokens } from '../lint/descriptors/budget.ts'
import type { Finding, Severity } from '../lint/finding.ts'
import type { GradeResult } from '../lint/grade.ts'
import type { Suppressed } from '../lint/suppressions/suppression.ts'

/** What a lint run has to say, ready to be written in any format. */
export interface FindingReport {
  /** In the order to show: by source, line, column, code. */
  readonly findings: readonly Finding[]
  /** The counts of the whole run, where `findings` are not all. */
  readonly total?: Readonly<Record<Severity, number>>
  readonly grade: GradeResult | null
  /** What the tools that MCP documents list cost, where some do. */
  readonly tools?: ToolTokens
  /** Every document that was linted or referred to, by source, with its text if it is available (for excerpts). */
  readonly sources: ReadonlyMap<string, string | null>
  /** How many operations reach the place of a finding, for those that some do. */
  readonly reach?: ReadonlyMap<Finding, number>
  /** What to do about the findings of a rule, by its id. */
  readonly remedies?: ReadonlyMap<string, string>
  /** Those of the findings that say what was asked for and not done: a rule, a ruleset or a file was skipped. */
  readonly skipped?: ReadonlySet<Finding>
  /** What the document or a waiver suppresses; none of `findings` is among them. */
  readonly suppressed?: readonly Suppressed[]
  /** The style guide that graded. */
  readonly guide?: string
  /** The path of a source for machines, which look for it from the folder of the run; as it is if absent. */
  readonly pathOf?: (source: string) => string
  /** Whether a finding makes the run fail; each does if absent. */
  readonly fails?: (finding: Finding) => boolean
  /** The version of svc. */
  readonly toolVersion: string
  /** When it ran, for formats that say so: ISO date and time in UTC. */
  readonly at?: string
}

/** What a comparison has to say, ready to be written in any format. */
export interface ChangeReport {
  /** In the order to show. */
  readonly changes: readonly Change[]
  readonly counts: Readonly<Record<ChangeSeverity, number>>
  /** Null when nothing changed. */
  readonly maxSeverity: ChangeSeverity | null
  /** The names of the two sides, as shown to people: a file, "payments@1.2.0". */
  readonly base: string
  readonly head: string
  /** The counterexample of the whole, or null, where two JSON Schemas were compared. */
  readonly witness?: Witness | null
  /** Where nothing changed for clients: JSON Pointers of components that differ and that no operation uses. */
  readonly unused?: readonly string[]
  /** One sentence: what the comparison concludes. */
  readonly verdict: string
  readonly toolVersion: string
  /** When it was compared, for formats that say so: ISO date and time in UTC. */
  readonly at?: string
  /** The files of two folders or archives, by path, and the files there that were not compared; absent where two documents are compared. */
  readonly files?: readonly FileReport[]
  readonly skipped?: readonly string[]
  /** By fingerprint (behind the file and a "#" where there are files), the place in the head for a change that has none there: where the removed part would be. */
  readonly anchors?: ReadonlyMap<string, ReportPlace>
  /** What is known of a rule, by its id, for formats that describe rules. */
  readonly ruleOf?: (id: string) => Pick<Rule, 'title' | 'explain'> | undefined
  /** What filters left out; absent where everything is compared. */
  readonly scope?: ScopeSummary
  /** The lint grades of both sides, where they were requested. */
  readonly grade?: { readonly before: string | null; readonly after: string | null }
  /** The consumers that were requested; null or absent if none were. */
  readonly consumers?: readonly ReportConsumer[] | null
}

/** What the comparison of two folders or archives found in one file. */
export interface FileReport {
  /** Its path in both. */
  readonly file: string
  readonly status: 'added' | 'removed' | 'changed' | 'unchanged'
  readonly counts: Readonly<Record<ChangeSeverity, number>>
  readonly maxSeverity: ChangeSeverity | null
}

/** A place as a report names it. */
export interface ReportPlace {
  readonly source: string
  readonly pointer: string
  readonly range: Range | null
}

/** A consumer of the compared API; `impact` where it is known what it loses. */
export interface ReportConsumer {
  readonly handle: string
  readonly name: string
  readonly impact: ConsumerImpact | null
}

/** How to write; nothing here changes what is written. */
export interface ReportOptions {
  /** Findings alone: no counts, no grade, no advice. */
  readonly isBrief?: boolean
  /** Whether the reader is a terminal that shows ANSI colours. */
  readonly colour: boolean
  /** Width in columns; 110 if it is unknown. */
  readonly columns?: number
}

/** One way to write reports. A format that has no shape for one of the two leaves its function out. */
export interface ReportFormat {
  /** The name for --format and --report; the file is called the same. */
  readonly id: string
  /** One line for help texts. */
  readonly summary: string
  readonly mediaType: string
  /** The whole text, ending in a newline. */
  readonly findings?: (report: FindingReport, options: ReportOptions) => string
  readonly changes?: (report: ChangeReport, options: ReportOptions) => string
}
