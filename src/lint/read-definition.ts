/** The parts of a ruleset: aliases, options, and rules over what they were before. */
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { readFormats } from './formats.ts'
import { readRuleParts, type ReportProblem, type RuleContext } from './read-rule.ts'
import type { Alias, Aliases, OwnFunctions } from './rule.ts'
import type { GuideOptions, RuleEntry } from './ruleset.ts'
import { readSeverity } from './severity.ts'
import { suggest } from '../kernel/suggest.ts'

/** Which rules of an extended ruleset apply. */
export type ExtendsLevel = 'all' | 'recommended' | 'off'

export function readAliases(value: Json | undefined, path: Path, report: ReportProblem): Aliases {
  if (value === undefined) return {}
  if (!isObject(value)) {
    report('invalid-alias-definition', '"aliases" must be an object.', path)
    return {}
  }
  const aliases: Record<string, Alias> = {}
  for (const name of Object.keys(value)) {
    const alias = value[name]
    if (Array.isArray(alias) && alias.every((it) => typeof it === 'string')) aliases[name] = alias
    else if (isObject(alias) && Array.isArray(alias.targets))
      aliases[name] = readTargets(alias.targets as readonly Json[], [...path, name, 'targets'], report)
    else {
      const told = `The alias "${name}" must be an array of JSONPaths, or an object with "targets".`
      report('invalid-alias-definition', told, [...path, name])
    }
  }
  return aliases
}

const readTargets = (targets: readonly Json[], path: Path, report: ReportProblem) =>
  targets.flatMap((target, index) => {
    const at = [...path, index]
    if (isObject(target) && Array.isArray(target.given) && target.formats !== undefined) {
      const formats = readFormats(target.formats, [...at, 'formats'], report)
      return [{ formats, given: target.given.map(String) }]
    }
    report('invalid-alias-definition', 'A target of an alias must have "formats" and "given".', at)
    return []
  })

/** What `parserOptions` says, over what holds where it says nothing. */
export function readOptions(
  { parserOptions }: JsonObject,
  defaults: GuideOptions,
  report: ReportProblem,
): GuideOptions {
  const read = { ...defaults }
  if (parserOptions === undefined) return read
  if (!isObject(parserOptions)) {
    report('invalid-parser-options-definition', '"parserOptions" must be an object.', ['parserOptions'])
    return read
  }
  for (const [key, value] of Object.entries(parserOptions)) {
    const severity = readSeverity(value)
    const path = ['parserOptions', key]
    if (key !== 'duplicateKeys' && key !== 'incompatibleValues')
      report('invalid-parser-options-definition', `Unknown property "${key}" in "parserOptions".`, path)
    else if (severity === null)
      report('invalid-parser-options-definition', 'A value in "parserOptions" must be a severity or "off".', path)
    else read[key] = severity
  }
  return read
}

/** What the rules of a definition may refer to. */
export interface RulesetContext {
  readonly aliases: Aliases
  readonly functions: OwnFunctions
  readonly isProgram: boolean
  /** Why a ruleset that might hold a rule could not be read. */
  readonly missing: string | null
  /** The ids of the rules that there are so far: one of them was meant by a mistyped one. */
  readonly known: Iterable<string>
}

/** A rule from its definition and, where it extends one, what it was before; null where it cannot be a rule. */
export function readEntry(
  value: Json,
  before: RuleEntry | undefined,
  path: Path,
  { aliases, functions, isProgram, missing, known }: RulesetContext,
  report: ReportProblem,
): RuleEntry | null {
  if (isObject(value)) return readObject(value, before, path, { aliases, functions, isProgram }, report)
  if (before === undefined) {
    const id = String(path.at(-1))
    if (missing !== null)
      return { rule: { given: [], then: [], skipped: missing }, enabled: value !== false && value !== 'off' }
    const near = id.length < 4 ? null : suggest(id, known)
    // What is not there is off already: older rulesets turn off rules that later versions of Spectral lost.
    if (near === null && (value === false || value === 'off')) return null
    const meant = near === null ? '.' : `; did you mean "${near}"?`
    report('undefined-rule', `Cannot change the rule "${id}": no ruleset in "extends" defines it${meant}`, path)
    return null
  }
  if (typeof value === 'boolean') return { ...before, enabled: value }
  const severity = readSeverity(value)
  if (severity !== null)
    return severity === 'off'
      ? { ...before, enabled: false, isMuted: true }
      : { rule: { ...before.rule, severity }, enabled: true }
  if (value === 'all' || (value === 'recommended' && before.rule.recommended !== false))
    return { ...before, enabled: true }
  if (value === 'recommended') return { ...before, enabled: false }
  report(
    'invalid-rule-definition',
    'A rule must be true, false, a severity, or an object with "given" and "then".',
    path,
  )
  return null
}

function readObject(
  value: JsonObject,
  before: RuleEntry | undefined,
  path: Path,
  context: RuleContext,
  report: ReportProblem,
): RuleEntry | null {
  const { off, ...parts } = readRuleParts(value, path, context, report)
  const { skipped, ...known } = before?.rule ?? {}
  // A rule that is defined again does not depend on what could not run.
  const isNew = parts.given !== undefined && parts.then !== undefined
  const rule = { ...known, ...(skipped === undefined || isNew ? {} : { skipped }), ...parts }
  const isWhole = rule.given !== undefined && rule.then !== undefined && rule.given.length > 0 && rule.then.length > 0
  if (!isWhole && rule.skipped === undefined) {
    if (value.given === undefined || value.then === undefined)
      report('invalid-rule-definition', 'A rule must have "given" and "then".', path)
    return null
  }
  const enabled = off !== true && (before === undefined ? rule.recommended !== false : true)
  return { rule: { ...rule, given: rule.given ?? [], then: rule.then ?? [] }, enabled }
}
