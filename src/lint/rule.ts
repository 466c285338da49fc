import type { Document } from '../document/document.ts'
import type { Json, Path } from '../document/json.ts'
import type { Severity } from './finding.ts'

/** Names by which rules say which documents they are for. */
export const formatNames = ['oas2', 'oas3', 'oas3_0', 'oas3_1', 'oas3_2', 'arazzo1_0', 'json-schema', 'mcp'] as const
export type FormatName = (typeof formatNames)[number]

/** What a function looks at beside its input. */
export interface FunctionContext {
  readonly document: Document
  readonly root: Json
  /** Where the input stands. */
  readonly path: Path
  /** The path of the node that `given` matched: the input itself without `field`. */
  readonly nodePath: Path
  /** The key, where the rule asked for one. */
  readonly rule: string
}

/** What a function found wrong; `path` where it is not the input's own. */
export interface Complaint {
  readonly message: string
  readonly path?: Path
}

/** Judges one value. An input of a type it is not made for is none of its business: it answers nothing. */
export type LintFunction = (input: Json | undefined, options: Json, context: FunctionContext) => readonly Complaint[]

export interface Then {
  /** A key, a dotted path, or `@key`; the node itself when absent. */
  readonly field?: string
  readonly run: LintFunction
  readonly options?: Json
}

export interface Rule {
  /** One sentence: what holds in a document that keeps the rule. */
  readonly description: string
  /** What a finding says; `{{error}}`, `{{description}}`, `{{path}}`, `{{property}}` and `{{value}}` are filled in. */
  readonly message?: string
  readonly severity: Severity
  readonly given: readonly string[]
  readonly then: readonly Then[]
  /** All documents when absent. */
  readonly formats?: readonly FormatName[]
  /** False: the rule looks at references as they are written. */
  readonly resolved?: boolean
  readonly documentationUrl?: string
}

/** Identity function: it only pins the type, so that a rule's file stays plain data. */
export const rule = (it: Rule): Rule => it

/** Rules by their ids. */
export type Ruleset = Readonly<Record<string, Rule>>
