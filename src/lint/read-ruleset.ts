/** Rulesets in YAML and JSON as Spectral reads them: what others extend is found by a loader that is passed in. */
import type { Document } from '../document/document.ts'
import { parseDocument } from '../document/parse.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { readAliases, readEntry, readOptions, type ExtendsLevel } from './read-definition.ts'
import { type FormatName, readFormats } from './formats.ts'
import { mergeOverrides, readOverrides, type Overrides } from './read-overrides.ts'
import { listOf, type ReportProblem } from './read-rule.ts'
import type { NamedFunction, OwnFunctions, Rule, Ruleset } from './rule.ts'
import {
  relativeName,
  defaultGuideOptions,
  optionsOfBuiltin,
  spectralOptions,
  type Guide,
  type GuideOptions,
  type GuideProblem,
  type RuleEntry,
} from './ruleset.ts'
import { builtinFormats, builtinRulesets } from './rulesets/builtin.ts'

/** The formats of builtin rules that a ruleset in JavaScript changed in the objects of Spectral, by their ids. */
export type ChangedFormats = ReadonlyMap<string, readonly FormatName[]>

/** A ruleset, and what of it is no data. */
interface ReadRulesetFile {
  readonly document: Document
  readonly functions?: OwnFunctions
  readonly changed?: ChangedFormats
}

/** A ruleset that another extends, or why it cannot be read though it is there. */
export type LoadedRuleset = ReadRulesetFile | { readonly refused: string }

/**
 * Finds the ruleset that `name` means in the ruleset `from`: a file, a URL, a package.
 * @returns null if there is none
 */
export type RulesetLoader = (name: string, from: string) => Promise<LoadedRuleset | null>

export interface ReadingOptions {
  /** Rules that are there before the ruleset says anything: it may name and change them. */
  readonly base?: ReadonlyMap<string, RuleEntry>
  /** What holds beside the rules where the ruleset says nothing of it; as Spectral has it when omitted. */
  readonly defaults?: GuideOptions
  /** The functions that a ruleset's own `functions` names, of the ruleset `from`; absent where such a ruleset is refused. */
  readonly functions?: (names: readonly NamedFunction[], folder: string, from: string) => Promise<OwnFunctions>
}

/** A ruleset and everything that was wrong with it; what is wrong is left out of it. */
export interface GuideReading {
  readonly guide: Guide
  readonly problems: readonly GuideProblem[]
  /** Rulesets that are extended and cannot be read though they are there, with the reason. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[]
}

type Entries = Map<string, RuleEntry>

/** A definition within a document: the whole of it, or one of its overrides. */
interface Definition {
  readonly value: JsonObject
  readonly at: Path
  readonly document: Document
  /** Read like something that is extended, last. */
  readonly also?: Definition
}

interface Evaluated {
  readonly entries: Entries
  readonly formats: Set<string>
  /** Some extended ruleset could not be read: unknown rules may come from it. */
  readonly partial: string | null
}

const modes: readonly ExtendsLevel[] = ['all', 'recommended', 'off']
const isLevel = (value: Json | undefined): value is ExtendsLevel => modes.includes(value as ExtendsLevel)
const maxDepth = 20

const fields = new Set(
  'extends rules aliases overrides formats documentationUrl parserOptions functions functionsDir except description'.split(
    ' ',
  ),
)

const nothing = (): void => {}

// A guide means the same by its name and in a file that extends it.
const optionsOf = (extended: readonly string[]): GuideOptions =>
  extended.length > 0 && extended.every((it) => optionsOfBuiltin(it) === defaultGuideOptions)
    ? defaultGuideOptions
    : spectralOptions

class Reader {
  readonly problems: GuideProblem[] = []
  readonly refused: { name: string; reason: string }[] = []
  private readonly loaded = new Map<string, LoadedRuleset | null>()
  private readonly functions = new Map<Document, OwnFunctions>()
  private readonly changed = new Map<Document, ChangedFormats>()
  private readonly load: RulesetLoader
  private readonly options: ReadingOptions

  constructor(load: RulesetLoader, options: ReadingOptions) {
    this.load = load
    this.options = options
  }

  reporterFor(document: Document): ReportProblem {
    return (code, message, path, severity = 'error') => {
      const range = document.locate(path)
      this.problems.push({ code, severity, message, path, range, source: document.source })
    }
  }

  /** Fetches everything that a ruleset extends, and checks the outline of each. */
  async gather({ document, functions, changed }: ReadRulesetFile, depth = 0): Promise<void> {
    const { value } = document
    if (changed !== undefined) this.changed.set(document, changed)
    this.checkOutline(document)
    if (!isObject(value) || depth > maxDepth) return
    const own = await this.ownFunctions(value, document)
    this.functions.set(document, new Map([...own, ...(functions ?? [])]))
    const holders = [value, ...listOf(value.overrides).filter(isObject)]
    for (const name of holders.flatMap((it) => extendedNames(it.extends))) {
      const key = `${document.source}\n${name}`
      if (Object.hasOwn(builtinRulesets, name) || this.loaded.has(key)) continue
      const loaded = await this.load(name, document.source)
      const found = loaded !== null && 'document' in loaded ? { ...loaded, document: asYaml(loaded.document) } : loaded
      this.loaded.set(key, found)
      if (found !== null && 'refused' in found) this.refused.push({ name, reason: found.refused })
      if (found !== null && 'document' in found && !this.functions.has(found.document))
        await this.gather(found, depth + 1)
    }
  }

  private checkOutline(document: Document): void {
    const report = this.reporterFor(document)
    for (const it of document.problems)
      if (it.severity === 'error') this.problems.push({ ...it, source: document.source })
    const { value } = document
    if (!isObject(value)) {
      if (document.problems.length === 0) report('invalid-ruleset-definition', 'A ruleset must be an object.', [])
      return
    }
    if (value.rules === undefined && value.extends === undefined && value.overrides === undefined)
      report('invalid-ruleset-definition', 'A ruleset must have "rules", "extends" or "overrides".', [])
    for (const key of Object.keys(value))
      if (!fields.has(key) && !key.startsWith('x-'))
        report('invalid-ruleset-definition', `Unknown property "${key}" in a ruleset.`, [key])
  }

  private async ownFunctions(value: JsonObject, document: Document): Promise<OwnFunctions> {
    if (value.functions === undefined) return new Map()
    const names = listOf(value.functions).map((it): NamedFunction => {
      const [name, options] = Array.isArray(it) ? (it as readonly Json[]) : [it]
      return { name: String(name), ...(options === undefined ? {} : { options }) }
    })
    const folder = typeof value.functionsDir === 'string' ? value.functionsDir : 'functions'
    if (this.options.functions !== undefined) return this.options.functions(names, folder, document.source)
    const told = 'JavaScript functions are not run; rules that use them are skipped.'
    this.reporterFor(document)('custom-functions', told, ['functions'])
    return new Map()
  }

  /** The rules of a definition: those of what it extends first, then its own over them. */
  evaluate(definition: Definition, above: readonly string[], silent = false, base: Entries = new Map()): Evaluated {
    const { value, at, document, also } = definition
    const report = silent ? nothing : this.reporterFor(document)
    const formats = new Set(value.formats === undefined ? [] : readFormats(value.formats, [...at, 'formats'], report))
    const entries: Entries = new Map(base)
    let partial: string | null = null
    const take = (found: Evaluated, level: ExtendsLevel | null) => {
      for (const [id, { rule, enabled }] of found.entries)
        entries.set(id, { rule, enabled: level === null ? enabled : isEnabled(rule, level) })
      for (const it of found.formats) formats.add(it)
      partial ??= found.partial
    }
    const written = value.extends
    for (const [index, it] of (Array.isArray(written) ? (written as readonly Json[]) : listOf(written)).entries()) {
      const [name, level] = Array.isArray(it) ? (it as readonly Json[]) : [it]
      const path = [...at, 'extends', ...(Array.isArray(written) ? [index] : [])]
      if (isObject(name))
        take(this.evaluate({ value: name, at: path, document }, above, true), isLevel(level) ? level : null)
      else if (typeof name !== 'string' || (Array.isArray(it) && !isLevel(level))) {
        const told = '"extends" must contain names of rulesets, or [name, "all" | "recommended" | "off"].'
        report('invalid-extend-definition', told, path)
      } else take(this.extended(name, path, document, above, silent, report), isLevel(level) ? level : null)
    }
    if (also !== undefined) take(this.evaluate(also, above, silent, base), null)
    this.ownRules(definition, { entries, formats, partial }, report)
    return { entries, formats, partial }
  }

  private extended(
    name: string,
    path: Path,
    document: Document,
    above: readonly string[],
    silent: boolean,
    report: ReportProblem,
  ): Evaluated {
    const none: Evaluated = { entries: new Map(), formats: new Set(), partial: null }
    const builtin = Object.hasOwn(builtinRulesets, name) ? builtinRulesets[name] : undefined
    if (builtin !== undefined) {
      const entries = startingEntries(withFormats(builtin, this.changed.get(document)))
      return { ...none, entries, formats: new Set(builtinFormats[name] ?? []) }
    }
    const found = this.loaded.get(`${document.source}\n${name}`) ?? null
    if (found === null) report('invalid-extend-definition', `The ruleset "${name}" cannot be found.`, path)
    if (found === null || 'refused' in found) return { ...none, partial: found?.refused ?? null }
    const other = found.document
    // A ruleset that extends itself, by whatever way, adds nothing.
    if (above.includes(other.source) || !isObject(other.value)) return none
    if (above.length >= maxDepth) {
      report('invalid-extend-definition', `The chain of "extends" is longer than ${maxDepth} rulesets.`, path)
      return none
    }
    return this.evaluate({ value: other.value, at: [], document: other }, [...above, other.source], silent)
  }

  private ownRules(
    { value, at, document }: Definition,
    { entries, formats, partial }: Evaluated,
    report: ReportProblem,
  ): void {
    const { rules } = value
    const aliases = readAliases(value.aliases, [...at, 'aliases'], report)
    if (rules === undefined) return
    if (!isObject(rules)) return report('invalid-rule-definition', '"rules" must be an object.', [...at, 'rules'])
    const ofAll = value.formats === undefined ? undefined : readFormats(value.formats, [...at, 'formats'], nothing)
    const docs = typeof value.documentationUrl === 'string' ? value.documentationUrl : undefined
    const functions: OwnFunctions = this.functions.get(document) ?? new Map()
    const isProgram = /\.[cm]?[jt]s$/.test(document.source)
    for (const [id, written] of Object.entries(rules)) {
      const path = [...at, 'rules', id]
      const name = isObject(written) ? id : currentName(id)
      const before = entries.get(name)
      const after = readEntry(
        written,
        before,
        path,
        { aliases, functions, isProgram, missing: partial, known: entries.keys() },
        report,
      )
      if (after === null) continue
      const own =
        before === undefined && ofAll !== undefined && after.rule.formats === undefined ? { formats: ofAll } : {}
      const link =
        docs !== undefined && after.rule.documentationUrl === undefined ? { documentationUrl: `${docs}#${id}` } : {}
      const rule = { ...after.rule, ...own, ...link, owner: before?.rule.owner ?? document.source }
      for (const it of rule.formats ?? []) formats.add(it)
      entries.set(name, { ...after, rule })
    }
  }
}

const isFaulty = ({ problems }: Document): boolean => problems.some((it) => it.severity === 'error')

/** A ruleset of JSON that is no more than YAML, with a comma too many at the end: Spectral reads it as such. */
function asYaml(document: Document): Document {
  if (document.syntax !== 'json' || !isFaulty(document)) return document
  const read = parseDocument(document.text, { source: document.source, syntax: 'yaml' })
  return isFaulty(read) ? document : read
}

const extendedNames = (written: Json | undefined): readonly string[] =>
  listOf(written)
    .map((it) => (Array.isArray(it) ? (it as readonly Json[])[0] : it))
    .filter((it) => typeof it === 'string')

const isEnabled = (rule: Rule, level: ExtendsLevel): boolean =>
  level === 'all' || (level === 'recommended' && rule.recommended !== false)

/** Rules with the formats that a ruleset gave them. */
const withFormats = (ruleset: Ruleset, changed: ChangedFormats = new Map()): Ruleset =>
  Object.fromEntries(
    Object.entries(ruleset).map(([id, rule]) => [id, changed.has(id) ? { ...rule, formats: changed.get(id)! } : rule]),
  )

const startingEntries = (ruleset: Ruleset): Entries =>
  new Map(Object.entries(ruleset).map(([id, rule]) => [id, { rule, enabled: rule.recommended !== false }]))

/** Names of rules in older rulesets, and what they are called now. */
const renamed: Readonly<Record<string, string>> = {
  'operation-2xx-response': 'operation-success-response',
  'oas3-unused-components-schema': 'oas3-unused-component',
  'oas2-valid-parameter-example': 'oas2-valid-schema-example',
  'oas2-valid-response-schema-example': 'oas2-valid-schema-example',
  'oas2-valid-definition-example': 'oas2-valid-schema-example',
  'oas2-valid-response-example': 'oas2-valid-media-example',
  'oas3-valid-oas-parameter-example': 'oas3-valid-media-example',
  'oas3-valid-oas-content-example': 'oas3-valid-media-example',
  'oas3-valid-oas-header-example': 'oas3-valid-media-example',
  'oas3-valid-header-schema-example': 'oas3-valid-schema-example',
  'oas3-valid-parameter-schema-example': 'oas3-valid-schema-example',
}
const currentName = (id: string): string => (Object.hasOwn(renamed, id) ? (renamed[id] ?? id) : id)

/**
 * Reads a ruleset and those that it extends.
 *
 * @param load finds extended rulesets; builtin names (`spectral:oas` …) never reach it
 * @returns a guide of what could be read, and every problem with its place; nothing is thrown for a bad ruleset
 */
export async function readRuleset(
  ruleset: Document | ReadRulesetFile,
  load: RulesetLoader,
  options: ReadingOptions = {},
): Promise<GuideReading> {
  const given: ReadRulesetFile = 'document' in ruleset ? ruleset : { document: ruleset }
  const document = asYaml(given.document)
  const reader = new Reader(load, options)
  await reader.gather({ ...given, document })
  const base: Entries = new Map(options.base)
  const value = isObject(document.value) ? document.value : {}
  const whole: Definition = { value, at: [], document }
  const evaluated = reader.evaluate(whole, [document.source], false, base)
  const report = reader.reporterFor(document)
  const overrides: Overrides = readOverrides(value, report)
  const { entries } = evaluated
  // Each override is read once as if it held alone, for what is wrong with it.
  for (const { definition, path } of overrides.files) {
    const also = { aliases: { ...(value.aliases as JsonObject), ...(definition.aliases as JsonObject) } }
    reader.evaluate({ value: { ...definition, ...also }, at: path, document }, [document.source], false, entries)
  }
  const known = new Map<string, Entries>()
  const forFile = (source: string): Entries => {
    const name = relativeName(document.source, source)
    const fitting = overrides.files.filter((it) => it.fits(name))
    if (fitting.length === 0) return entries
    const key = fitting.map((it) => it.path.join('/')).join(' ')
    let found = known.get(key)
    if (found === undefined) {
      const { merged, overBase } = mergeOverrides(
        value,
        fitting.map((it) => it.definition),
      )
      const also = overBase ? { also: whole } : {}
      found = reader.evaluate({ value: merged, at: [], document, ...also }, [document.source], true, base).entries
      known.set(key, found)
    }
    return found
  }
  const guide: Guide = {
    source: document.source,
    options: {
      ...readOptions(value, options.defaults ?? optionsOf(extendedNames(value.extends)), report),
      // Rules that were there before are for documents of every kind.
      formats: options.base === undefined ? [...evaluated.formats].filter((it) => it !== '') : [],
    },
    entries,
    pointerOverrides: overrides.pointers,
    forFile,
  }
  return { guide, problems: reader.problems, refused: reader.refused }
}
