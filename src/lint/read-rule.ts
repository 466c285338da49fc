import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { danglingReference } from '../schema/dangling.ts'
import { validate } from '../schema/validate.ts'
import { suggest } from '../kernel/suggest.ts'
import { coreFunctions, type CoreFunction } from './core-functions.ts'
import { formatNames, readFormats } from './formats.ts'
import { dialectOf } from './functions/schema.ts'
import { expandAlias } from './alias.ts'
import { oasFunctions } from './oas/functions.ts'
import { vacuumChecks } from './oas/vacuum-functions.ts'
import { PathSyntaxError, parseGiven } from './jsonpath/path.ts'
import { readPattern } from './pattern.ts'
import type { Aliases, OwnFunctions, Rule, Then } from './rule.ts'
import { vacuumFunctions } from './rulesets/vacuum.ts'
import { readSeverity } from './severity.ts'

/** Reports a problem at a path of the ruleset; a warning where the rest of the ruleset can be applied without the rule. */
export type ReportProblem = (code: string, message: string, path: Path, severity?: 'error' | 'warning') => void

const known = new Set([
  'description',
  'message',
  'severity',
  'given',
  'then',
  'resolved',
  'formats',
  'recommended',
  'documentationUrl',
  'tags',
  'enabled',
  'type',
  'extensions',
  // Of vacuum.
  'howToFix',
  'category',
  'id',
])

export const listOf = (value: Json | undefined): readonly Json[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly Json[]) : [value]

/** What a rule may name that its ruleset brings. */
export interface RuleContext {
  readonly aliases: Aliases
  /** Functions of its own; of one that does not run, the reason. */
  readonly functions: OwnFunctions
  /** The ruleset is a program: it may give its rules properties that only another program reads. */
  readonly isProgram?: boolean
}

/** A function that rulesets may name without declaring it. */
export const functionNamed = (name: string): CoreFunction | undefined =>
  [coreFunctions, oasFunctions, vacuumChecks].find((it) => Object.hasOwn(it, name))?.[name]

/** One `then`; a text is the reason why it cannot run. */
function readThen(
  value: Json,
  path: Path,
  { functions, isResolved }: RuleContext & { readonly isResolved: boolean },
  report: ReportProblem,
): Then | string | null {
  if (!isObject(value)) {
    report('invalid-then', '"then" must be an object with a "function", or an array of such objects.', path)
    return null
  }
  const name = value.function
  const own = typeof name === 'string' ? functions.get(name) : undefined
  if (typeof own === 'string') return own
  if (own !== undefined) {
    const run = own(value.functionOptions)
    if (typeof run === 'function') return { run, custom: true, ...thenParts(value) }
    for (const fault of run.faults) report('invalid-function-options', fault, [...path, 'functionOptions'])
    return null
  }
  if (name === 'schemaPath') return 'Spectral removed the function "schemaPath" in version 6; use "schema"'
  const core = typeof name === 'string' ? functionNamed(name) : undefined
  if (typeof name === 'string' && core === undefined && vacuumFunctions.has(name))
    return `svc does not have the function "${name}" of vacuum`
  if (typeof name !== 'string' || core === undefined) {
    const near =
      typeof name === 'string' ? suggest(name, [...Object.keys(coreFunctions), ...Object.keys(oasFunctions)]) : null
    const meant = near === null ? `use one of ${Object.keys(coreFunctions).join(', ')}` : `did you mean "${near}"?`
    report('undefined-function', `There is no function ${JSON.stringify(name ?? null)}; ${meant}`, [
      ...path,
      'function',
    ])
    return null
  }
  const options = value.functionOptions
  if (!checkOptions(name, core.options, options, [...path, 'functionOptions'], report)) return null
  const dangling = (name === 'schema' || name === 'oasSchema') && isObject(options) ? danglingIn(options) : null
  if (dangling === null) return { run: core.run, ...thenParts(value) }
  // Spectral tells it at every target of a rule that looks at references, and nowhere else.
  const told = [{ message: `can't resolve reference ${dangling} from id #` }]
  if (!isResolved) return { run: () => told, ...thenParts(value) }
  return `cannot resolve the $ref "${dangling}" of its schema; include the target in the schema`
}

const danglingIn = ({ schema, dialect }: JsonObject): string | null =>
  isObject(schema) ? danglingReference(schema, dialectOf(schema, dialect)) : null

const thenParts = ({ field, functionOptions }: JsonObject): Omit<Then, 'run'> => ({
  ...(typeof field === 'string' ? { field } : {}),
  ...(isObject(functionOptions) ? { options: functionOptions } : {}),
})

const isBadPattern = (source: Json | undefined): boolean => typeof source === 'string' && readPattern(source) === null

function checkOptions(name: string, schema: Json, given: Json | undefined, path: Path, report: ReportProblem): boolean {
  if (schema === null) {
    if (given === undefined || given === null) return true
    report('invalid-function-options', `The function "${name}" has no options.`, path)
    return false
  }
  const errors = validate(schema, given ?? null, { all: true })
  for (const error of errors) {
    const extra = error.params.additionalProperty
    // An invalid option is reported as a whole.
    const option = error.path[0] ?? (typeof extra === 'string' ? extra : undefined)
    const at = option === undefined ? path : [...path, option]
    const what = typeof extra === 'string' ? 'unknown option' : error.message.replaceAll("'", '"')
    report('invalid-function-options', `The function "${name}" has invalid options: ${what}.`, at)
  }
  if (errors.length > 0) return false
  const wrong =
    name !== 'pattern' || !isObject(given) ? [] : ['match', 'notMatch'].filter((key) => isBadPattern(given[key]))
  for (const key of wrong)
    report('invalid-function-options', `The option "${key}" is not a valid regular expression.`, [...path, key])
  return wrong.length === 0
}

function isGiven(given: Json, path: Path, report: ReportProblem): given is string {
  if (typeof given === 'string' && given !== '') return true
  report('invalid-given-definition', '"given" must be a JSONPath, or an array of JSONPaths.', path)
  return false
}

/** Why a path cannot be read; null where it can. */
function unreadable(given: string, aliases: Aliases): string | null {
  const expanded = expandAlias(given, aliases, formatNames)
  if (expanded === null) return `Unknown alias in "${given}"; "aliases" of the ruleset must define it.`
  for (const path of expanded)
    try {
      parseGiven(path)
    } catch (error) {
      if (!(error instanceof PathSyntaxError)) throw error
      return `Invalid JSONPath "${path}": ${error.message} (at character ${error.at + 1}).`
    }
  return null
}

const optionalText = (value: JsonObject, key: 'description' | 'message' | 'documentationUrl') =>
  typeof value[key] === 'string' ? { [key]: value[key] } : {}

/** The parts of a rule that its definition names; a rule that extends another one names only some. */
export function readRuleParts(
  value: JsonObject,
  path: Path,
  context: RuleContext,
  report: ReportProblem,
): Partial<Rule> & { readonly off?: true } {
  for (const key of Object.keys(value))
    if (!known.has(key) && !key.startsWith('x-'))
      report(
        'invalid-rule-definition',
        `Unknown property "${key}" in a rule.`,
        [...path, key],
        context.isProgram === true ? 'warning' : 'error',
      )
  const severity = value.severity === undefined ? null : readSeverity(value.severity)
  if (value.severity !== undefined && severity === null)
    report('invalid-severity', 'A severity must be error, warn, info, hint, off, or a number from 0 to 3.', [
      ...path,
      'severity',
    ])
  const givenIsList = Array.isArray(value.given)
  const placeOf = (index: number): Path => (givenIsList ? [...path, 'given', index] : [...path, 'given'])
  const given = listOf(value.given).filter((it, index): it is string => isGiven(it, placeOf(index), report))
  const unread = given.map((it, index) => {
    const reason = unreadable(it, context.aliases)
    if (reason !== null) report('invalid-given-definition', reason, placeOf(index), 'warning')
    return reason
  })
  const thenIsList = Array.isArray(value.then)
  const around = { ...context, isResolved: value.resolved !== false }
  const read = listOf(value.then).flatMap(
    (it, index) => readThen(it, thenIsList ? [...path, 'then', index] : [...path, 'then'], around, report) ?? [],
  )
  const then = read.filter((it) => typeof it !== 'string')
  const skipped = unread.find((it) => it !== null) ?? read.find((it) => typeof it === 'string')
  return {
    ...optionalText(value, 'description'),
    ...optionalText(value, 'message'),
    ...optionalText(value, 'documentationUrl'),
    ...(severity === null || severity === 'off' ? {} : { severity }),
    ...(severity === 'off' ? { off: true as const } : {}),
    ...(value.given === undefined ? {} : { given, aliases: context.aliases }),
    ...(skipped === undefined ? {} : { skipped }),
    ...(value.then === undefined ? {} : { then }),
    ...(value.formats === undefined ? {} : { formats: readFormats(value.formats, [...path, 'formats'], report) }),
    ...(typeof value.resolved === 'boolean' ? { resolved: value.resolved } : {}),
    ...(typeof value.recommended === 'boolean' ? { recommended: value.recommended } : {}),
    ...(typeof value.howToFix === 'string' ? { remedy: value.howToFix } : {}),
    ...(isObject(value.extensions) ? { extensions: value.extensions } : {}),
    ...(Array.isArray(value.tags) ? { tags: value.tags.filter((it) => typeof it === 'string') } : {}),
  }
}
