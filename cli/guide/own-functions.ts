/**
 * Rulesets and functions in JavaScript. They run with everything that the user may do, so only where the user says so;
 * nothing of this is reached from the service.
 */
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Document } from '../../src/document/document.ts'
import { isObject, type Json, type JsonObject } from '../../src/kernel/json.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { type FormatName, formatNamed } from '../../src/lint/formats.ts'
import { functionNamed } from '../../src/lint/read-rule.ts'
import type { ChangedFormats } from '../../src/lint/read-ruleset.ts'
import type { CustomFunction, NamedFunction, OwnFunction, OwnFunctions, Violation } from '../../src/lint/rule.ts'
import { unescapeStep } from '../../src/lint/message.ts'
import { validate } from '../../src/schema/validate.ts'
import { contextOf, inputOf, isContainer } from './function-context.ts'

type Callable = (input: unknown, options: unknown, context: object) => unknown
type Members = Readonly<Record<string, unknown>>

const isCallable = (value: unknown): value is Callable => typeof value === 'function'
const membersOf = (value: unknown): Members => (isContainer(value) ? (value as Members) : {})
const membersOfFunction = (value: Callable): Members => value as unknown as Members
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A function that failed: the rule has no result for the document. */
export type OnFailure = (rule: string, reason: string) => void

/** Where functions are run: failures are reported there, and files are named from there. */
export interface FunctionRun {
  readonly onFailure: OnFailure
  readonly cwd: string
}

/** How long a function that answers later may take for one value. */
const answerMs = 60_000

/** What a function answers, as far as it is one; a text is what is wrong with it. */
function violationsOf(answered: unknown, linted: Document): readonly Violation[] | string {
  if (answered === undefined) return []
  if (!isContainer(answered) || !(Symbol.iterator in answered)) return 'answered something else than a list of results'
  const found: Violation[] = []
  for (const { message, path } of Array.from(answered as Iterable<unknown>, membersOf)) {
    if (typeof message !== 'string') return 'answered a result without a message'
    const steps: readonly unknown[] | null = Array.isArray(path) ? path : null
    if (steps === null) found.push({ message })
    else
      found.push({
        message,
        path: steps.map((it) => (typeof it === 'number' ? it : unescapeStep(String(it)))),
        document: linted,
      })
  }
  return found
}

const answerInTime = async (answer: Promise<unknown>): Promise<unknown> => {
  let timer: Timer | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer after ${answerMs / 1000} seconds`)), answerMs)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/**
 * A function in JavaScript as one of ours, with the `functionOptions` of a rule. `path` in its results is a way from the linted
 * document through references. A function that throws, or answers something else than a list of results, has failed: the rule is reported.
 */
const adapt =
  (name: string, run: Callable, options: unknown, { onFailure, cwd }: FunctionRun): CustomFunction =>
  (input, _, context) => {
    const told = name === '' ? 'its function' : `the function "${name}"`
    const fail = (error: unknown): readonly Violation[] => {
      onFailure(context.rule, `${told} failed: ${messageOf(error)}`)
      return []
    }
    const read = (answered: unknown): readonly Violation[] => {
      const found = violationsOf(answered, context.linted)
      if (typeof found !== 'string') return found
      onFailure(context.rule, `${told} ${found}`)
      return []
    }
    try {
      const answered = run(inputOf(input, context), options ?? null, contextOf(context, cwd))
      return answered instanceof Promise ? answerInTime(answered).then(read).catch(fail) : read(answered)
    } catch (error) {
      return fail(error)
    }
  }

/** What the check of a function itself says of options: `createRulesetFunction` of Spectral makes such functions. */
function faultsOf(run: Callable, options: unknown): readonly string[] {
  const { validator } = membersOfFunction(run)
  if (!isCallable(validator)) return []
  try {
    ;(validator as (options: unknown) => void)(options ?? null)
    return []
  } catch (error) {
    const { errors } = membersOf(error)
    return Array.isArray(errors) && errors.length > 0 ? errors.map(messageOf) : [messageOf(error)]
  }
}

const schemaFaults = (name: string, schema: Json, options: Json | undefined): readonly string[] =>
  validate(schema, options ?? null, { all: true }).map(({ message, path }) => {
    const where = path.length === 0 ? '' : ` at "${path.join('.')}"`
    return `The function "${name}" has invalid options${where}: ${message.replaceAll("'", '"')}.`
  })

async function importDefault(path: string): Promise<unknown> {
  const module = membersOf(await import(pathToFileURL(path).href))
  const first = module.default ?? module
  return membersOf(first).default ?? first
}

/**
 * The functions that a ruleset names, each the default export of a file beside it.
 * @returns functions by name; for those that cannot be loaded the reason
 */
export async function importFunctions(
  wanted: readonly NamedFunction[],
  folder: string,
  from: string,
  around: FunctionRun,
): Promise<OwnFunctions> {
  const found = new Map<string, OwnFunction | string>()
  for (const { name, options: schema } of wanted) {
    const path = resolve(dirname(from), folder, `${name}.js`)
    try {
      const run = await importDefault(path)
      if (!isCallable(run)) {
        found.set(name, `${path} exports no function`)
        continue
      }
      found.set(name, (options) => {
        const faults = schema === undefined ? faultsOf(run, options) : schemaFaults(name, schema, options)
        return faults.length > 0 ? { faults } : adapt(name, run, options, around)
      })
    } catch (error) {
      found.set(name, `${path} cannot be loaded: ${messageOf(error)}`)
    }
  }
  return found
}

/** Spectral's own functions and rulesets where they are installed beside a ruleset: ours replace them. */
async function knownOf(path: string): Promise<ReadonlyMap<unknown, string>> {
  const known = new Map<unknown, string>()
  const require = createRequire(pathToFileURL(path))
  for (const [module, prefix] of [
    ['@stoplight/spectral-functions', ''],
    ['@stoplight/spectral-rulesets', 'spectral:'],
    ['@stoplight/spectral-rulesets/dist/oas/functions', ''],
  ] as const) {
    try {
      for (const [name, it] of Object.entries(membersOf(await import(pathToFileURL(require.resolve(module)).href))))
        known.set(it, `${prefix}${name}`)
    } catch {
      // A ruleset that does without them.
    }
  }
  return known
}

const knownFormat = (format: unknown): FormatName | null =>
  isCallable(format) ? formatNamed(String(membersOfFunction(format).displayName)) : null

interface RuleOfSpectral {
  readonly rule: { formats?: unknown }
  readonly formats: readonly unknown[]
}

/** The rules of Spectral's own rulesets that have formats, by their ids. */
function rulesWithFormats(known: ReadonlyMap<unknown, string>): ReadonlyMap<string, RuleOfSpectral> {
  const found = new Map<string, RuleOfSpectral>()
  for (const [ruleset, name] of known)
    for (const [id, rule] of Object.entries(name.startsWith('spectral:') ? membersOf(membersOf(ruleset).rules) : {})) {
      const { formats } = membersOf(rule)
      if (isContainer(rule) && Array.isArray(formats)) found.set(id, { rule, formats: formats as readonly unknown[] })
    }
  return found
}

/** What rulesets changed while they were loaded, by their paths: a module is loaded once in a process. */
const changedBy = new Map<string, ChangedFormats>()

/** The formats that a ruleset changed, which are put back: they hold for this ruleset alone. */
function takeChanges(path: string, before: ReadonlyMap<string, RuleOfSpectral>): ChangedFormats {
  const changed = new Map(changedBy.get(path))
  for (const [id, { rule, formats }] of before) {
    if (rule.formats === formats) continue
    const now: readonly unknown[] = Array.isArray(rule.formats) ? rule.formats : []
    changed.set(
      id,
      now.map(knownFormat).filter((it) => it !== null),
    )
    rule.formats = formats
  }
  changedBy.set(path, changed)
  return changed
}

/**
 * A ruleset that is a JavaScript module, as data with functions beside. Some change the formats of Spectral's own rules while they are loaded.
 * @throws whatever the module throws while it is loaded
 */
export async function importRuleset(
  path: string,
  around: FunctionRun,
): Promise<{ document: Document; functions: OwnFunctions; changed: ChangedFormats }> {
  const known = await knownOf(path)
  const before = rulesWithFormats(known)
  const definition = await importDefault(path)
  const functions = new Map<string, OwnFunction>()
  // Options may hold patterns and other values that JSON lacks: a function of the ruleset gets them as they are.
  const named = (run: Callable, options: unknown): string => {
    const core = known.get(run)
    if (core !== undefined && functionNamed(core) !== undefined) return core
    const name = `${run.name === '' ? 'function' : run.name} (${functions.size + 1})`
    functions.set(name, () => {
      const faults = faultsOf(run, options)
      return faults.length > 0 ? { faults } : adapt(run.name, run, options, around)
    })
    return name
  }
  const plain = (value: unknown, key: string, depth: number, holder: Members): Json => {
    if (depth > 50) return null
    if (isCallable(value))
      return key === 'formats'
        ? (knownFormat(value) ?? value.name)
        : named(value, key === 'function' ? holder.functionOptions : undefined)
    if (key === 'extends' && known.has(value)) return known.get(value) ?? null
    if (value instanceof RegExp) return String(value)
    if (Array.isArray(value)) return value.map((it) => plain(it, key, depth + 1, {}))
    if (!isContainer(value)) return value === undefined ? null : (value as Json)
    const members = membersOf(value)
    return Object.fromEntries(
      Object.entries(members).flatMap(([name, it]) =>
        it === undefined ? [] : [[name, plain(it, name, depth + 1, members)]],
      ),
    )
  }
  const value = plain(definition, '', 0, {})
  const data: JsonObject = isObject(value) ? value : {}
  const changed = takeChanges(path, before)
  const document = parseDocument(JSON.stringify(data), { source: path, syntax: 'json' })
  return { document, functions, changed }
}
