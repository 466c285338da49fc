import { readdir } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Document } from '../../src/document/document.ts'
import { correctCommas } from '../../src/document/json-commas.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import { readRuleset } from '../../src/lint/read-ruleset.ts'
import type { Rule, Ruleset } from '../../src/lint/rule.ts'
import { type GuideOptions, type GuideProblem, optionsOfBuiltin, selectRules } from '../../src/lint/ruleset.ts'
import { builtinRulesets } from '../../src/lint/rulesets/builtin.ts'
import { recommended } from '../../src/lint/rulesets/recommended.ts'
import { digestOf } from '../cache/cache.ts'
import { GuideTexts } from '../cache/guide-texts.ts'
import type { Invocation } from '../declare.ts'
import { findRuleset, functionsFor, isScript, loaderFor } from './rulesets.ts'
import { readUrl } from '../input/document-source.ts'
import { readDocument } from '../input/documents.ts'
import { isWebAddress } from '../../src/kernel/text.ts'

/** A style guide, ready to be applied. */
export interface ChosenGuide {
  readonly name: string
  /** The rules for a file of that name. */
  readonly rulesFor: (file: string) => Ruleset
  /** Someone named it: it is applied to documents of any kind. */
  readonly chosen: boolean
  /** What a ruleset says beside its rules. */
  readonly options?: GuideOptions
  /** All rules that it knows, those that are off included; absent where only those that apply are known. */
  readonly rules?: ReadonlyMap<string, { readonly rule: Rule }>
  /** The guide of a single file, where files have different guides. */
  readonly guideOf?: (file: string) => ChosenGuide
  /** A digest of everything that it was made of; absent where programs of its own take part. */
  readonly digest?: string | undefined
  /** The rulesets that were read. */
  readonly files?: readonly string[]
  /** Rulesets that it extends and that were not read, with the reason. */
  readonly refused?: readonly { readonly name: string; readonly reason: string }[]
  /** Rules and rulesets that may be skipped where they cannot be used. */
  readonly mayBeSkipped?: ReadonlySet<string>
  /** Rules whose JavaScript function failed, with the reason; known after documents were linted. */
  readonly failed?: ReadonlyMap<string, string>
}

const isRecommended = (ruleset: Ruleset): Ruleset =>
  Object.fromEntries(Object.entries(ruleset).filter(([, rule]) => rule.recommended !== false))

// Of what an address answered nothing is printed but where it is wrong: it may be a page that the readers of the log must not see.
const place = ({ source, range, message }: GuideProblem): string =>
  `${source}:${range.start.line + 1}:${range.start.character + 1}: ${isWebAddress(source) ? 'this is not what a ruleset has here' : message}`

type Around = Pick<Invocation, 'cwd' | 'io' | 'env' | 'signal' | 'globals' | 'connection'>

/** Names by which a ruleset is found without being asked for: those of Spectral, with and without the dot. */
const defaultNames = ['.spectral', 'spectral'].flatMap((name) =>
  ['yaml', 'yml', 'json', 'js', 'mjs', 'cjs'].map((ending) => `${name}.${ending}`),
)

/** The ruleset of the current folder or of the nearest folder above it, up to the root of the repository; null where there is none. */
export async function findDefaultGuide(cwd: string): Promise<string | null> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const entries = new Set(await readdir(folder).catch((): string[] => []))
    const name = defaultNames.find((it) => entries.has(it))
    if (name !== undefined) return relative(resolve(cwd), join(folder, name))
    if (entries.has('.git') || folder === dirname(folder)) return null
  }
}

const isId = (name: string): boolean => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(name)

// A guide that the service keeps, applied here. A workspace that does not exist yet has none, and a misspelt name does not make it.
async function storedGuide(id: string, around: Around): Promise<ChosenGuide> {
  const { hasWorkspace } = await import('../connection/workspace.ts')
  const { loadConfig } = await import('../configuration.ts')
  const { connection, globals, env, cwd } = around
  if (globals.baseUrl === undefined && !hasWorkspace(loadConfig(around).values, env, cwd))
    throw new SvcError('usage', {
      reason: `Unknown style guide "${id}": it is not a file, the builtin ones are ${[recommended.name, ...Object.keys(builtinRulesets)].join(', ')}, and there is no workspace with stored ones`,
    })
  const { guideAddress } = await import('../style-guide/shared.ts')
  const { styleGuidesApi } = await import('../../src/api/style-guides.ts')
  const { applicableOf, readRules } = await import('../../server/guide-rules/rules.ts')
  const { call, params } = await guideAddress(connection, id)
  const [{ name }, { items }, { yaml }] = await Promise.all([
    call(styleGuidesApi.get, { params }),
    call(styleGuidesApi.rules, { params }),
    call(styleGuidesApi.customRules, { params }),
  ])
  const settings = Object.fromEntries(items.map(({ id: rule, enabled, severity }) => [rule, { enabled, severity }]))
  const { rulesFor, options } = applicableOf(await readRules({ settings, customRules: yaml }))
  return { name, rulesFor, options, chosen: true, digest: digestOf(JSON.stringify(settings), yaml ?? '') }
}

// Anything that may be a file or an address is one; other words are the name of a guide that the service keeps.
const isStoredName = async (name: string, { cwd }: Around): Promise<boolean> =>
  name !== '-' &&
  !isWebAddress(name) &&
  !/[\\/]|\.(ya?ml|json|[cm]?js|ts)$/i.test(name) &&
  !(await Bun.file(resolve(cwd, name)).exists()) &&
  (await findRuleset(name, resolve(cwd, 'x'))) === null

async function readGuideText(name: string, around: Around): Promise<Document> {
  const document = isWebAddress(name)
    ? parseDocument((await readUrl(name, around)).text, { source: name })
    : await readDocument(name, around)
  const corrected = document.value === null && document.syntax === 'json' ? correctCommas(document.text) : null
  if (corrected === null) return document
  around.io.log.warn(`${name}: invalid JSON, read with its commas corrected at ${corrected.places.join(', ')}`)
  return parseDocument(corrected.text, { source: name, syntax: 'json' })
}

async function readScript(path: string, read: Parameters<typeof loaderFor>[0]) {
  if (!read.runsFunctions)
    throw new SvcError('usage', {
      reason: `The ruleset ${basename(path)} is a JavaScript program; --allow-functions runs it with your permissions`,
    })
  const { importRuleset } = await import('./own-functions.ts')
  return readRuleset(await importRuleset(path, read), loaderFor(read), { functions: functionsFor(read) })
}

/**
 * The guide that `--guide` names: a builtin one, a ruleset in a file or at an address, or the name or id of one that
 * the service keeps; where it is absent `.spectral.yaml` or the like (see `findDefaultGuide`), else the recommended one.
 * @param absolute the rules are asked for files by their whole paths, wherever the ruleset is
 * @throws SvcError `usage` where there is none of that name, or where the ruleset has faults
 */
export async function findGuide(
  name: string | undefined,
  around: Around,
  { runsFunctions = false, absolute = false }: { readonly runsFunctions?: boolean; readonly absolute?: boolean } = {},
): Promise<ChosenGuide> {
  const wanted = name ?? (await findDefaultGuide(around.cwd))
  if (wanted === null || wanted === recommended.name)
    return {
      name: recommended.name,
      rulesFor: () => recommended.ruleset,
      chosen: wanted !== null,
      digest: recommended.name,
    }
  const builtin = Object.hasOwn(builtinRulesets, wanted) ? builtinRulesets[wanted] : undefined
  if (builtin !== undefined) {
    const ruleset = isRecommended(builtin)
    return { name: wanted, rulesFor: () => ruleset, options: optionsOfBuiltin(wanted), chosen: true, digest: wanted }
  }
  if (/^[\w-]+:[\w-]+$/.test(wanted)) {
    const near = suggest(wanted, Object.keys(builtinRulesets))
    const known =
      near === null ? `the builtin ones are ${Object.keys(builtinRulesets).join(', ')}` : `did you mean ${near}?`
    throw new SvcError('usage', { reason: `Unknown style guide "${wanted}"; ${known}` })
  }
  if (isId(wanted) || (name !== undefined && (await isStoredName(wanted, around)))) return storedGuide(wanted, around)
  // From a folder above, files are named from the root: the globs of the ruleset are relative to its own folder.
  const isAbove = absolute || (name === undefined && wanted.startsWith('..'))
  const path = isAbove && !isWebAddress(wanted) ? resolve(around.cwd, wanted) : wanted
  const script = isWebAddress(wanted) ? null : await findRuleset(wanted, resolve(around.cwd, 'x'))
  const failed = new Map<string, string>()
  const onFailure = (rule: string, reason: string): void => {
    if (!failed.has(rule)) failed.set(rule, reason)
  }
  const read = { ...around, runsFunctions, onFailure }
  const texts = new GuideTexts()
  const { guide, problems, refused } =
    script !== null && isScript(script.path)
      ? await readScript(script.path, read)
      : await readRuleset(texts.add(await readGuideText(path, around)), texts.loader(loaderFor(read)), {
          functions: texts.functions(functionsFor(read)),
        })
  // Rules that a warning is about are skipped, the others apply.
  if (problems.some(({ severity }) => severity === 'error'))
    throw new SvcError('usage', {
      reason: `The ruleset ${basename(wanted)} has ${plural(problems.length, 'problem')}:\n${problems.map(place).join('\n')}`,
    })
  const rulesFor = (file: string): Ruleset =>
    selectRules(guide, isAbove && !isWebAddress(file) ? resolve(around.cwd, file) : file)
  return {
    name: wanted,
    rulesFor,
    chosen: true,
    options: guide.options,
    rules: guide.entries,
    digest: script !== null && isScript(script.path) ? undefined : texts.digest,
    files: script === null ? texts.files : [script.path, ...texts.files],
    refused,
    failed,
  }
}
