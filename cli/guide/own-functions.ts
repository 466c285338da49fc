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
import { formatNamed } from '../../src/lint/formats.ts'
import { functionNamed } from '../../src/lint/read-rule.ts'
import type { OwnFunctions } from '../../src/lint/read-ruleset.ts'
import type { LintFunction } from '../../src/lint/rule.ts'
import { contextOf, inputOf } from './function-context.ts'

type Callable = (input: unknown, options: unknown, context: object) => unknown
type Members = Readonly<Record<string, unknown>>

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
const isCallable = (value: unknown): value is Callable => typeof value === 'function'
const membersOf = (value: unknown): Members => (isContainer(value) ? (value as Members) : {})

/** A function that failed: the rule has no result for the document. */
export type OnFailure = (rule: string, reason: string) => void

/**
 * A function in JavaScript as one of ours. What it answers is taken as far as it is a list of messages; `path` in it is a way from
 * the linted document through references.
 */
const adapt =
  (name: string, run: Callable, onFailure: OnFailure): LintFunction =>
  (input, options, context) => {
    const told = name === '' ? 'its function' : `the function "${name}"`
    let answered: unknown
    try {
      const given = Object.keys(options).length === 0 ? null : options
      answered = run(inputOf(input, context), given, contextOf(context))
    } catch (error) {
      onFailure(context.rule, `${told} failed: ${error instanceof Error ? error.message : String(error)}`)
      return []
    }
    if (answered instanceof Promise) {
      answered.catch(() => {})
      onFailure(context.rule, `${told} answers later, which rules here cannot wait for`)
      return []
    }
    if (!Array.isArray(answered)) return []
    return answered.map(membersOf).flatMap(({ message, path }) => {
      if (typeof message !== 'string') return []
      const steps: readonly unknown[] | null = Array.isArray(path) ? path : null
      if (steps === null) return [{ message }]
      const plain = steps.map((it) => (typeof it === 'number' ? it : String(it)))
      return [{ message, path: plain, document: context.linted }]
    })
  }

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
  names: readonly string[],
  folder: string,
  from: string,
  onFailure: OnFailure,
): Promise<OwnFunctions> {
  const found = new Map<string, LintFunction | string>()
  for (const name of names) {
    const path = resolve(dirname(from), folder, `${name}.js`)
    try {
      const run = await importDefault(path)
      found.set(name, isCallable(run) ? adapt(name, run, onFailure) : `${path} exports no function`)
    } catch (error) {
      found.set(name, `${path} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`)
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

/**
 * A ruleset that is a JavaScript module, as data with functions beside.
 * @throws whatever the module throws while it is loaded
 */
export async function importRuleset(
  path: string,
  onFailure: OnFailure,
): Promise<{ document: Document; functions: OwnFunctions }> {
  const definition = await importDefault(path)
  const known = await knownOf(path)
  const functions = new Map<string, LintFunction>()
  const named = (run: Callable): string => {
    const core = known.get(run)
    if (core !== undefined && functionNamed(core) !== undefined) return core
    const name = `${run.name === '' ? 'function' : run.name} (${functions.size + 1})`
    functions.set(name, adapt(run.name, run, onFailure))
    return name
  }
  const plain = (value: unknown, key: string, depth: number): Json => {
    if (depth > 50) return null
    if (isCallable(value))
      return key === 'formats'
        ? (formatNamed(String(membersOfFunction(value).displayName)) ?? value.name)
        : named(value)
    if (key === 'extends' && known.has(value)) return known.get(value) ?? null
    if (value instanceof RegExp) return String(value)
    if (Array.isArray(value)) return value.map((it) => plain(it, key, depth + 1))
    if (!isContainer(value)) return value === undefined ? null : (value as Json)
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, it]) => (it === undefined ? [] : [[name, plain(it, name, depth + 1)]])),
    )
  }
  const value = plain(definition, '', 0)
  const data: JsonObject = isObject(value) ? value : {}
  return { document: parseDocument(JSON.stringify(data), { source: path, syntax: 'json' }), functions }
}

const membersOfFunction = (value: Callable): Members => value as unknown as Members
