import type { Document } from '../document/document.ts'
import type { Json, JsonObject, Path } from '../kernel/json.ts'
import type { Documents } from '../document/reference.ts'
import type { Beside } from '../mcp-catalogue/beside.ts'
import type { CheckBudget } from './check-budget.ts'
import type { Severity } from './finding.ts'
import type { FormatName } from './formats.ts'
import type { Fixer } from './fix/fix.ts'

/** What a function looks at beside its input. */
export interface FunctionContext {
  /** The document that contains the input; it can be another than the linted one. */
  readonly document: Document
  /** What that document holds. */
  readonly root: Json
  /** The value of the linted document; it contains components that are named without a reference. */
  readonly entry: Json
  readonly formats: ReadonlySet<FormatName>
  /** The other available documents, by the names that references use. */
  readonly documents: Documents
  /** The path of the input, including `field`. */
  readonly path: Path
  /** The rule that asks, by its id, and what its ruleset says of it. */
  readonly rule: string
  readonly definition: Rule
  /** The linted document, and the way from it to the input: what references lead to is where the reference is. */
  readonly linted: Document
  readonly way: Path
  /** Whether the rule resolves references. */
  readonly isResolved: boolean
  /** The value, or the target of its reference if the rule resolves references. */
  readonly deref: (value: Json) => Json
  /** What is known of an MCP server beside its document; null where no one said. */
  readonly beside: Beside | null
  /** What checks of values against schemas may take in this run. */
  readonly budget: CheckBudget
}

/** What a function found wrong; `path` where it is not the input's own. */
export interface Violation {
  readonly message: string
  readonly path?: Path
  /** What is wrong, for the fix of a rule whose function reports several things. */
  readonly kind?: string
  /** The name that a fix gives or declares. */
  readonly name?: string
  /** The document that holds `path`, where it is not the input's own. */
  readonly document?: Document
}

/** What a function says of one value: nothing where there is nothing wrong, or where the value is of another type than it checks. */
export type Verdict = readonly Violation[] | void

/** What a function may say of documents before it looks at their values. */
interface Foresight {
  /** Whether it is certain that nothing in the documents is wrong: then the function is not called. */
  findsNothing?(options: JsonObject, documents: readonly Document[]): boolean
}

/** Checks one value. */
export interface LintFunction extends Foresight {
  (input: Json | undefined, options: JsonObject, context: FunctionContext): Verdict
}

/** A function that a ruleset brings along; where it answers later, `lintAndWait` waits for it. */
export interface CustomFunction extends Foresight {
  (input: Json | undefined, options: JsonObject, context: FunctionContext): Verdict | Promise<Verdict>
}

/**
 * A custom function: with the `functionOptions` of a rule (undefined where it has none) it becomes the function of that rule,
 * or says what is wrong with them.
 */
export type OwnFunction = (options: Json | undefined) => CustomFunction | { readonly faults: readonly string[] }

/** Custom functions that a ruleset may name; for one that cannot run, the reason. */
export type OwnFunctions = ReadonlyMap<string, OwnFunction | string>

/** A function as `functions` of a ruleset names it, with the JSON Schema of its options where it says one. */
export interface NamedFunction {
  readonly name: string
  readonly options?: Json
}

export interface Then {
  /** A key, a dotted path, `@key`, or a JSONPath from the node; the node itself when absent. */
  readonly field?: string
  readonly run: CustomFunction
  /** The function is a custom one: it sees on which way it was called, so that each way counts. */
  readonly custom?: true
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
  /** One sentence: what is true of a document that follows the rule. */
  readonly description?: string
  /** What a finding says; `{{error}}`, `{{description}}`, `{{path}}`, `{{property}}` and `{{value}}` are filled in. */
  readonly message?: string
  /** Warning when absent. */
  readonly severity?: Severity
  /** JSONPaths, or `#Alias` with more behind it. */
  readonly given: readonly string[]
  readonly then: readonly Then[]
  /** All documents if absent; an unknown name matches none. */
  readonly formats?: readonly string[]
  /** False: the rule looks at references as they are written. */
  readonly resolved?: boolean
  /** False: only for those who ask for it. */
  readonly recommended?: boolean
  readonly documentationUrl?: string
  readonly tags?: readonly string[]
  /** What a ruleset keeps with its rule for programs. */
  readonly extensions?: JsonObject
  /** The ruleset that the rule is from: a file or an address. */
  readonly owner?: string
  readonly aliases?: Aliases
  readonly overrides?: readonly SeverityOverride[]
  /** Why it cannot run: it is not applied, and reported as skipped. */
  readonly skipped?: string
  /** How its findings are fixed. */
  readonly fix?: Fixer
  readonly help?: RuleHelp
  /** What to do about its findings, of a ruleset that says so (`howToFix`, as vacuum has it). */
  readonly remedy?: string
}

/** The documentation of a rule. */
export interface RuleHelp {
  /** The consequence of breaking the rule. */
  readonly why: string
  /** An incorrect part of a document, in YAML. */
  readonly bad: string
  /** The same part, corrected. */
  readonly good: string
  /** What to do, in the imperative. */
  readonly remedy: string
  /** What to do instead about findings with these messages. */
  readonly others?: readonly { readonly message: RegExp; readonly remedy: string }[]
  /** Other files that both parts refer to, by their names. */
  readonly beside?: Readonly<Record<string, string>>
}

/** A rule that svc brings along. */
export interface BuiltinRule extends Rule {
  /** `spectral`: a rule of Spectral's own rulesets, which `spectral:oas` and `spectral:arazzo` contain; `svc`: in svc's guides only. */
  readonly origin: 'spectral' | 'svc'
  readonly description: string
  readonly help: RuleHelp
}

/** Declares a builtin rule: the default export of its file, plain data. */
export const rule = (it: BuiltinRule): BuiltinRule => it

/** The builtin rules by their ids. */
export type BuiltinRules = Readonly<Record<string, BuiltinRule>>

/** Rules by their ids; all of them apply. */
export type Ruleset = Readonly<Record<string, Rule>>
