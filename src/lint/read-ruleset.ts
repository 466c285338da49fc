/** Rulesets in YAML and JSON as Spectral reads them: what others extend is found by a loader that is passed in. */
import type { Document } from '../document/document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../document/json.ts'
import { builtinRulesets } from './rulesets/builtin.ts'
import { readFormats } from './formats.ts'
import { fitsGlob } from './glob.ts'
import { listOf, readRuleParts, type Complain } from './read-rule.ts'
import type { Alias, Aliases, Rule } from './rule.ts'
import {
  defaultGuideOptions,
  type FileOverride,
  type Guide,
  type GuideProblem,
  type PointerOverride,
  type RuleEntry,
} from './ruleset.ts'
import { readSeverity } from './severity.ts'

/**
 * Finds the ruleset that `name` means in the ruleset `from`: a file, a URL, a package.
 * @returns null where there is none
 */
export type RulesetLoader = (name: string, from: string) => Promise<Document | null>

/** A ruleset and everything that was wrong with it; what is wrong is left out of it. */
export interface GuideReading {
  readonly guide: Guide
  readonly problems: readonly GuideProblem[]
}

type Mode = 'all' | 'recommended' | 'off'
type Entries = Map<string, RuleEntry>

const modes: readonly Mode[] = ['all', 'recommended', 'off']
const isMode = (value: Json | undefined): value is Mode => modes.includes(value as Mode)
const maxDepth = 20

const fields = new Set([
  'extends',
  'rules',
  'aliases',
  'overrides',
  'formats',
  'documentationUrl',
  'parserOptions',
  'functions',
  'functionsDir',
  'except',
  'description',
])

class Reader {
  readonly problems: GuideProblem[] = []
  private readonly load: RulesetLoader
  constructor(load: RulesetLoader) {
    this.load = load
  }

  private complainer(document: Document): Complain {
    return (code, message, path) => {
      const range = document.locate(path)
      this.problems.push({ code, severity: 'error', message, path, range, source: document.source })
    }
  }

  /** The rules of a ruleset, extended ones first, in a map that the caller may change. */
  async read(document: Document, above: readonly string[], base: Entries = new Map()): Promise<Entries> {
    for (const it of document.problems)
      if (it.severity === 'error') this.problems.push({ ...it, source: document.source })
    const complain = this.complainer(document)
    const { value } = document
    if (!isObject(value)) {
      if (document.problems.length === 0) complain('invalid-ruleset-definition', 'A ruleset is an object.', [])
      return new Map(base)
    }
    if (value.rules === undefined && value.extends === undefined && value.overrides === undefined)
      complain('invalid-ruleset-definition', 'A ruleset must have "rules", "extends" or "overrides".', [])
    for (const key of Object.keys(value))
      if (!fields.has(key) && !key.startsWith('x-'))
        complain('invalid-ruleset-definition', `A ruleset has no field "${key}".`, [key])
    if (value.functions !== undefined)
      complain(
        'custom-functions',
        "Functions of one's own in JavaScript are not run; rules that name them are left out.",
        ['functions'],
      )
    return this.readDefinition(value, [], document, above, base)
  }

  async readDefinition(
    value: JsonObject,
    at: Path,
    document: Document,
    above: readonly string[],
    base: Entries = new Map(),
  ): Promise<Entries> {
    const complain = this.complainer(document)
    const entries = new Map([...base, ...(await this.readExtends(value, at, document, above))])
    const aliases = readAliases(value.aliases, [...at, 'aliases'], complain)
    this.readRules(value, at, aliases, entries, complain)
    return entries
  }

  private async readExtends(
    value: JsonObject,
    at: Path,
    document: Document,
    above: readonly string[],
  ): Promise<Entries> {
    const entries: Entries = new Map()
    const written = value.extends
    if (written === undefined) return entries
    // ["spectral:oas", "all"] is one ruleset with a mode where the second is a mode and nothing else stands there.
    const list = Array.isArray(written) ? (written as readonly Json[]) : [written]
    for (const [index, it] of list.entries()) {
      const [name, mode] = Array.isArray(it) ? (it as readonly Json[]) : [it]
      const path = [...at, 'extends', ...(Array.isArray(written) ? [index] : [])]
      const complain = this.complainer(document)
      if (typeof name !== 'string' || (Array.isArray(it) && !isMode(mode))) {
        complain(
          'invalid-extend-definition',
          '"extends" takes names of rulesets, or [name, "all" | "recommended" | "off"].',
          path,
        )
        continue
      }
      const found = await this.find(name, path, document, above)
      for (const [id, entry] of found)
        entries.set(id, isMode(mode) ? { ...entry, enabled: isEnabled(entry.rule, mode) } : entry)
    }
    return entries
  }

  private async find(name: string, path: Path, document: Document, above: readonly string[]): Promise<Entries> {
    const builtin = Object.hasOwn(builtinRulesets, name) ? builtinRulesets[name] : undefined
    if (builtin !== undefined)
      return new Map(Object.entries(builtin).map(([id, rule]) => [id, { rule, enabled: rule.recommended !== false }]))
    const complain = this.complainer(document)
    const other = await this.load(name, document.source)
    if (other === null) {
      complain('invalid-extend-definition', `The ruleset "${name}" cannot be found.`, path)
      return new Map()
    }
    // A ruleset that extends itself, by whatever way, adds nothing.
    if (above.includes(other.source)) return new Map()
    if (above.length >= maxDepth) {
      complain('invalid-extend-definition', `Rulesets extend each other more than ${maxDepth} times.`, path)
      return new Map()
    }
    return this.read(other, [...above, other.source])
  }

  private readRules(value: JsonObject, at: Path, aliases: Aliases, entries: Entries, complain: Complain): void {
    const { rules } = value
    if (rules === undefined) return
    if (!isObject(rules)) return complain('invalid-rule-definition', '"rules" must be an object.', [...at, 'rules'])
    const formats = value.formats === undefined ? undefined : readFormats(value.formats, [...at, 'formats'], complain)
    const docs = typeof value.documentationUrl === 'string' ? value.documentationUrl : undefined
    for (const id of Object.keys(rules)) {
      const path = [...at, 'rules', id]
      const before = entries.get(id)
      const after = readEntry(rules[id] as Json, before, path, aliases, complain)
      if (after === null) continue
      const { rule } = after
      const isNew = before === undefined
      entries.set(id, {
        ...after,
        rule: {
          ...rule,
          ...(isNew && formats !== undefined && rule.formats === undefined ? { formats } : {}),
          ...(docs !== undefined && rule.documentationUrl === undefined ? { documentationUrl: `${docs}#${id}` } : {}),
        },
      })
    }
  }
}

const isEnabled = (rule: Rule, mode: Mode): boolean =>
  mode === 'all' || (mode === 'recommended' && rule.recommended !== false)

function readAliases(value: Json | undefined, path: Path, complain: Complain): Aliases {
  if (value === undefined) return {}
  if (!isObject(value)) {
    complain('invalid-alias-definition', '"aliases" must be an object.', path)
    return {}
  }
  const aliases: Record<string, Alias> = {}
  for (const name of Object.keys(value)) {
    const alias = value[name]
    if (Array.isArray(alias) && alias.every((it) => typeof it === 'string')) aliases[name] = alias
    else if (isObject(alias) && Array.isArray(alias.targets)) {
      aliases[name] = (alias.targets as readonly Json[]).flatMap((target, index) => {
        const at = [...path, name, 'targets', index]
        if (isObject(target) && Array.isArray(target.given) && target.formats !== undefined)
          return [
            { formats: readFormats(target.formats, [...at, 'formats'], complain), given: target.given.map(String) },
          ]
        complain('invalid-alias-definition', 'A target of an alias has "formats" and "given".', at)
        return []
      })
    } else
      complain('invalid-alias-definition', `The alias "${name}" must be a list of JSONPaths, or have "targets".`, [
        ...path,
        name,
      ])
  }
  return aliases
}

/** A rule from its definition and, where it extends one, what it was before; null where it cannot be a rule. */
function readEntry(
  value: Json,
  before: RuleEntry | undefined,
  path: Path,
  aliases: Aliases,
  complain: Complain,
): RuleEntry | null {
  if (isObject(value)) {
    const { off, ...parts } = readRuleParts(value, path, aliases, complain)
    const rule = { ...before?.rule, ...parts }
    if (rule.given === undefined || rule.then === undefined || rule.given.length === 0 || rule.then.length === 0) {
      if (value.given === undefined || value.then === undefined)
        complain('invalid-rule-definition', 'The rule must have at least "given" and "then".', path)
      return null
    }
    const enabled = off !== true && (before === undefined ? rule.recommended !== false : true)
    return { rule: { ...rule, given: rule.given, then: rule.then }, enabled }
  }
  if (before === undefined) {
    complain(
      'undefined-rule',
      `Cannot extend the rule "${String(path.at(-1))}": no ruleset that is extended has it.`,
      path,
    )
    return null
  }
  if (typeof value === 'boolean') return { ...before, enabled: value }
  const severity = readSeverity(value)
  if (severity !== null)
    return severity === 'off' ? { ...before, enabled: false } : { rule: { ...before.rule, severity }, enabled: true }
  if (isMode(value)) return { ...before, enabled: isEnabled(before.rule, value) }
  complain('invalid-rule-definition', 'A rule is true, false, a severity, or an object with "given" and "then".', path)
  return null
}

function readOverrides(value: JsonObject, complain: Complain): { files: FileOverride[]; pointers: PointerOverride[] } {
  const files: FileOverride[] = []
  const pointers: PointerOverride[] = []
  // The older spelling: {"glob#/pointer": [rules that are off there]}.
  for (const [glob, rules] of Object.entries(isObject(value.except) ? value.except : {})) {
    const [file = '', pointer = ''] = glob.split('#', 2)
    for (const rule of listOf(rules)) pointers.push({ glob: file, pointer, rule: String(rule), severity: 'off' })
  }
  for (const [index, it] of listOf(value.overrides).entries()) {
    const path = ['overrides', index]
    if (!isObject(it) || !Array.isArray(it.files)) {
      complain('invalid-override-definition', 'An override has "files" and "rules" or "extends".', path)
      continue
    }
    const globs = it.files.map(String)
    for (const glob of globs.filter((one) => one.includes('#'))) {
      const [file = '', pointer = ''] = glob.split('#', 2)
      for (const [rule, level] of Object.entries(isObject(it.rules) ? it.rules : {})) {
        const severity = readSeverity(level)
        if (severity === null)
          complain('invalid-override-definition', 'With a pointer an override can set severities only.', [
            ...path,
            'rules',
            rule,
          ])
        else pointers.push({ glob: file, pointer, rule, severity })
      }
    }
    const whole = globs.filter((one) => !one.includes('#'))
    if (whole.length > 0) files.push({ globs: whole, definition: it, path })
  }
  return { files, pointers }
}

/**
 * Reads a ruleset and those that it extends.
 *
 * @param load finds extended rulesets; builtin names (`spectral:oas` …) never reach it
 * @param base rules that are there before the ruleset says anything: it may name and change them
 * @returns a guide of what could be read, and every problem with its place; nothing is thrown for a bad ruleset
 */
export async function readRuleset(
  document: Document,
  load: RulesetLoader,
  base: ReadonlyMap<string, RuleEntry> = new Map(),
): Promise<GuideReading> {
  const reader = new Reader(load)
  const entries = await reader.read(document, [document.source], new Map(base))
  const complain: Complain = (code, message, path) =>
    reader.problems.push({
      code,
      severity: 'error',
      message,
      path,
      range: document.locate(path),
      source: document.source,
    })
  const { files, pointers } = isObject(document.value)
    ? readOverrides(document.value, complain)
    : { files: [], pointers: [] }
  const overridden: { globs: readonly string[]; entries: (base: Entries) => Entries }[] = []
  for (const { globs, definition, path } of files) {
    // Read over the base, so that a severity alone can name a rule of it.
    const own = await reader.readDefinition({ ...definition, rules: {} }, path, document, [document.source])
    const aliases = {
      ...readAliases(isObject(document.value) ? document.value.aliases : undefined, ['aliases'], () => {}),
      ...readAliases(definition.aliases, [...path, 'aliases'], complain),
    }
    const rules = isObject(definition.rules) ? definition.rules : {}
    const merge = (base: Entries, say: Complain): Entries => {
      const merged = new Map([...base, ...own])
      for (const id of Object.keys(rules)) {
        const entry = readEntry(rules[id] as Json, merged.get(id), [...path, 'rules', id], aliases, say)
        if (entry !== null) merged.set(id, entry)
      }
      return merged
    }
    merge(entries, complain)
    overridden.push({ globs, entries: (base) => merge(base, () => {}) })
  }
  const forFile = (name: string): Entries =>
    overridden.reduce((base, it) => (it.globs.some((glob) => fitsGlob(name, glob)) ? it.entries(base) : base), entries)
  return {
    guide: { options: defaultGuideOptions, entries, pointerOverrides: pointers, forFile },
    problems: reader.problems,
  }
}
