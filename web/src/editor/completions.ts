import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'

/** Rules that a ruleset may name, with what each says. */
export type Names = readonly { readonly id: string; readonly description: string | null }[]

const words = (type: string, pairs: Readonly<Record<string, string>>): Completion[] =>
  Object.entries(pairs).map(([label, detail]) => ({ label, detail, type }))

/** The fields that Spectral knows, by their place. */
const top = words('property', {
  extends: 'rulesets to begin with',
  rules: 'rules by id',
  aliases: 'paths by name',
  formats: 'formats of all rules',
  documentationUrl: 'where the rules are explained',
  overrides: 'other rules for some files',
  parserOptions: 'duplicate keys and the like',
})
const inner = words('property', {
  description: 'what holds',
  message: 'text of the finding',
  given: 'JSONPath of the checked nodes',
  then: 'what must hold there',
  severity: 'error, warn, info, hint or off',
  formats: 'only documents of these',
  recommended: 'false: off unless turned on',
  resolved: 'false: before $refs are followed',
  documentationUrl: 'where it is explained',
  tags: 'words to find it by',
  field: 'a property of the matched node',
  function: 'the check',
  functionOptions: 'options of the function',
})
const functions = words('function', {
  alphabetical: 'in alphabetical order',
  casing: 'camel, pascal, kebab, cobol, snake, macro or flat',
  defined: 'there is a value',
  enumeration: 'one of values',
  falsy: 'empty, false or missing',
  length: 'between min and max',
  or: 'at least one of properties',
  pattern: 'match or notMatch a regular expression',
  schema: 'is valid against a JSON Schema',
  truthy: 'neither empty nor missing',
  typedEnum: 'enum values have the type',
  undefined: 'is absent',
  unreferencedReusableObject: 'something refers to it',
  xor: 'exactly one of properties',
})
const levels = words('enum', { error: '', warn: '', info: '', hint: '', off: 'the rule does not apply' })

const optionsAt = (before: string, names: Names): Completion[] => {
  if (/^\s*-?\s*function:\s*\w*$/.test(before) || /\bfunction:\s*\w*$/.test(before)) return functions
  if (/\bseverity:\s*\w*$/.test(before) || /^\s+[\w$-]+:\s*\w+$/.test(before)) return levels
  if (/^\w*$/.test(before)) return top
  const depth = before.length - before.trimStart().length
  if (depth <= 2 && /^\s+[\w$-]*$/.test(before))
    return names.map(({ id, description }) => ({ label: id, detail: description ?? '', type: 'constant' }))
  return /^\s*(?:-\s*)?[\w]*$/.test(before) ? inner : []
}

/** Offers what is valid at a place of a ruleset: its fields, functions, severities, and the ids of known rules. */
export const rulesetCompletions =
  (names: () => Names) =>
  (context: CompletionContext): CompletionResult | null => {
    const line = context.state.doc.lineAt(context.pos)
    const before = line.text.slice(0, context.pos - line.from)
    const word = /[\w$-]*$/.exec(before)?.[0] ?? ''
    if (word === '' && !context.explicit) return null
    const options = optionsAt(before, names())
    return options.length === 0 ? null : { from: context.pos - word.length, options, validFor: /^[\w$-]*$/ }
  }

/** Finds registered types whose reference contains a text. */
export type References = (text: string) => Promise<readonly { readonly ref: string; readonly description: string }[]>

/** Completes a reference to a registered type, from "svc:" on. */
export const referenceCompletions =
  (find: References) =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    const typed = context.matchBefore(/svc:[^\s"'`]*/)
    if (typed === null) return null
    const found = await find(typed.text)
    const options = found.map(({ ref, description }) => ({
      label: ref,
      detail: description.slice(0, 60),
      type: 'type',
    }))
    return { from: typed.from, options, filter: false }
  }

/** What can be written at an offset, and the part of the text that it takes the place of. */
export interface Proposed {
  readonly from: number
  readonly to: number
  readonly options: readonly Completion[]
}

/** Asks the service what can be written at an offset. Null where nothing is known. */
export type Complete = (offset: number) => Promise<Proposed | null>

/** Offers what the format of the document allows at a place. */
export const serviceCompletions =
  (complete: Complete) =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    // Behind a space after a key, or within a word: otherwise only when it is asked for.
    if (!context.explicit && context.matchBefore(/[\w$./:#"'-]{1,}|[\w"']:\s/) === null) return null
    const found = await complete(context.pos)
    if (found === null || context.aborted || found.options.length === 0) return null
    return { from: found.from, to: found.to, options: found.options, validFor: /^["']?[\w$./:#-]*$/ }
  }
