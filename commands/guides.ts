import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Document } from '../src/document/document.ts'
import { parseDocument } from '../src/document/parse.ts'
import { SvcError } from '../src/errors.ts'
import { readRuleset, type RulesetLoader } from '../src/lint/read-ruleset.ts'
import type { Ruleset } from '../src/lint/rule.ts'
import { builtinRulesets } from '../src/lint/rulesets/builtin.ts'
import { recommended } from '../src/lint/rulesets/recommended.ts'
import { selectRules, type GuideProblem } from '../src/lint/ruleset.ts'
import { suggest } from '../src/suggest.ts'
import type { Invocation } from './command.ts'
import { readUrl } from './document-source.ts'
import { readDocument } from './documents.ts'

/** A style guide, ready to be applied. */
export interface ChosenGuide {
  readonly name: string
  /** The rules for a file of that name. */
  readonly rulesFor: (file: string) => Ruleset
  /** Somebody named it: it is applied to documents of any kind. */
  readonly chosen: boolean
}

const isRecommended = (ruleset: Ruleset): Ruleset =>
  Object.fromEntries(Object.entries(ruleset).filter(([, rule]) => rule.recommended !== false))

const readQuietly = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null)

const isAddress = (name: string): boolean => /^https?:\/\//i.test(name)

// What a ruleset extends: a file beside it, a package's main file in the node_modules of a folder above, or an address;
// what an address extends stands beside it.
const loaderFor =
  ({ cwd, env, signal }: Around): RulesetLoader =>
  async (name, from): Promise<Document | null> => {
    if (isAddress(name) || isAddress(from)) {
      const url = isAddress(name) ? name : new URL(name, from).href
      return parseDocument((await readUrl(url, env, signal)).text, { source: url })
    }
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(name)) return null
    const folder = dirname(resolve(cwd, from))
    const places = [resolve(folder, name)]
    for (let at = folder; ; at = dirname(at)) {
      places.push(join(at, 'node_modules', name))
      if (at === dirname(at)) break
    }
    for (const place of places) {
      for (const path of [place, `${place}.yaml`, `${place}.yml`, `${place}.json`, join(place, '.spectral.yaml')]) {
        const text = await readQuietly(path)
        if (text !== null) return parseDocument(text, { source: path })
      }
    }
    return null
  }

const place = ({ source, range, message }: GuideProblem): string =>
  `${source}:${range.start.line + 1}:${range.start.character + 1}: ${message}`

type Around = Pick<Invocation, 'cwd' | 'io' | 'env' | 'signal' | 'connection'>

/** Names beside which a ruleset is found without being asked for. */
const defaultNames = ['.spectral.yaml', '.spectral.yml', '.spectral.json']

async function findDefault(cwd: string): Promise<string | null> {
  for (const name of defaultNames) if ((await readQuietly(join(cwd, name))) !== null) return name
  return null
}

const isId = (name: string): boolean => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(name)

// A guide that the service keeps, applied here.
async function storedGuide(id: string, { connection }: Around): Promise<ChosenGuide> {
  const { guideAddress } = await import('./style-guides.ts')
  const { styleGuidesApi } = await import('../src/api/style-guides.ts')
  const { lintGuideOf, readRules } = await import('../server/style-guides/rules.ts')
  const { call, params } = await guideAddress(connection, id)
  const [{ name }, { items }, { yaml }] = await Promise.all([
    call(styleGuidesApi.get, { params }),
    call(styleGuidesApi.rules, { params }),
    call(styleGuidesApi.customRules, { params }),
  ])
  const settings = Object.fromEntries(items.map(({ id: rule, enabled, severity }) => [rule, { enabled, severity }]))
  const { rulesFor } = lintGuideOf(id, name, await readRules({ settings, customRules: yaml }))
  return { name, rulesFor, chosen: true }
}

/**
 * The guide that `--guide` names: a builtin one, a ruleset in a file or at an address, or the id of one that the
 * service keeps; where it is absent `.spectral.yaml` of the current
 * folder, else the recommended one.
 * @throws SvcError `usage` where there is none of that name, or where the ruleset has faults
 */
export async function findGuide(name: string | undefined, around: Around): Promise<ChosenGuide> {
  const wanted = name ?? (await findDefault(around.cwd))
  if (wanted === null || wanted === recommended.name)
    return { name: recommended.name, rulesFor: () => recommended.ruleset, chosen: wanted !== null }
  const builtin = Object.hasOwn(builtinRulesets, wanted) ? builtinRulesets[wanted] : undefined
  if (builtin !== undefined) return { name: wanted, rulesFor: () => isRecommended(builtin), chosen: true }
  if (/^[\w-]+:[\w-]+$/.test(wanted)) {
    const near = suggest(wanted, Object.keys(builtinRulesets))
    const known =
      near === null ? `the builtin ones are ${Object.keys(builtinRulesets).join(', ')}` : `did you mean ${near}?`
    throw new SvcError('usage', { reason: `There is no guide "${wanted}"; ${known}` })
  }
  if (isId(wanted)) return storedGuide(wanted, around)
  const document = isAddress(wanted)
    ? parseDocument((await readUrl(wanted, around.env, around.signal)).text, { source: wanted })
    : await readDocument(wanted, around)
  const { guide, problems } = await readRuleset(document, loaderFor(around))
  if (problems.length > 0)
    throw new SvcError('usage', {
      reason: `The ruleset ${basename(wanted)} has ${problems.length === 1 ? 'a fault' : `${problems.length} faults`}:\n${problems.map(place).join('\n')}`,
    })
  return { name: wanted, rulesFor: (file) => selectRules(guide, file), chosen: true }
}
