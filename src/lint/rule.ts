import type { Document } from '../document/document.ts'
import type { Json, JsonObject, Path } from '../document/json.ts'
import type { Documents } from '../document/reference.ts'
import type { Severity } from './finding.ts'
import type { FormatName } from './formats.ts'
import type { Fixer } from './fix/fix.ts'

/** What a function looks at beside its input. */
export interface FunctionContext {
  /** The document in which the input stands: not always the one that is linted. */
  readonly document: Document
  /** What that document holds. */
  readonly root: Json
  /** What the document that is linted holds: components that others name without a reference stand there. */
  readonly entry: Json
  readonly formats: ReadonlySet<FormatName>
  /** The other documents at hand, by the names that references have for them. */
  readonly documents: Documents
  /** Where the input stands, `field` included. */
  readonly path: Path
  /** What stands for a value: with a rule that looks through references, what its reference leads to. */
  readonly deref: (value: Json) => Json
}

/** What a function found wrong; `path` where it is not the input's own. */
export interface Complaint {
  readonly message: string
  readonly path?: Path
  /** The document that holds `path`, where it is not the input's own. */
  readonly document?: Document
}

/** Judges one value. An input of a type it is not made for is none of its business: it answers nothing. */
export type LintFunction = (
  input: Json | undefined,
  options: JsonObject,
  context: FunctionContext,
) => readonly Complaint[] | void

export interface Then {
  /** A key, a dotted path, `@key`, or a JSONPath from the node; the node itself when absent. */
  readonly field?: string
  readonly run: LintFunction
  readonly options?: JsonObject
}

/** The paths behind a name: one list for all documents, or lists by format. */
export type Alias =
  | readonly string[]
  | readonly { readonly formats: readonly string[]; readonly given: readonly string[] }[]
export type Aliases = Readonly<Record<string, Alias>>

/** A severity that holds below a pointer in some files. */
export interface SeverityOverride {
  readonly pointer: string
  readonly severity: Severity | 'off'
  /** Whether it is meant for a file. */
  readonly fits: (source: string) => boolean
}

export interface Rule {
  /** One sentence: what holds in a document that keeps the rule. */
  readonly description?: string
  /** What a finding says; `{{error}}`, `{{description}}`, `{{path}}`, `{{property}}` and `{{value}}` are filled in. */
  readonly message?: string
  /** Warning when absent. */
  readonly severity?: Severity
  /** JSONPaths, or `#Alias` with more behind it. */
  readonly given: readonly string[]
  readonly then: readonly Then[]
  /** All documents when absent; a name that is none of a format matches none. */
  readonly formats?: readonly string[]
  /** False: the rule looks at references as they are written. */
  readonly resolved?: boolean
  /** False: only for those who ask for it. */
  readonly recommended?: boolean
  readonly documentationUrl?: string
  readonly tags?: readonly string[]
  readonly aliases?: Aliases
  readonly overrides?: readonly SeverityOverride[]
  /** Why it cannot run: it is not applied, and told to be skipped. */
  readonly skipped?: string
  /** How what it finds is mended. */
  readonly fix?: Fixer
  readonly help?: RuleHelp
}

/** What a person reads who asks about a rule. */
export interface RuleHelp {
  /** What goes wrong where the rule is not kept. */
  readonly why: string
  /** A part of a document that misses the rule, in YAML. */
  readonly bad: string
  /** The same part, mended. */
  readonly good: string
  /** What to do, in the imperative. */
  readonly remedy: string
  /** Files that both stand beside, by their names. */
  readonly beside?: Readonly<Record<string, string>>
}

/** Identity function: it only pins the type, so that a rule's file stays plain data. */
export const rule = (it: Rule): Rule => it

/** Rules by their ids; all of them apply. */
export type Ruleset = Readonly<Record<string, Rule>>
