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

// What a ruleset extends: a file beside it, or a package's main file in the node_modules of a folder above.
const loaderFor =
  (cwd: string): RulesetLoader =>
  async (name, from): Promise<Document | null> => {
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

/** Names beside which a ruleset is found without being asked for. */
const defaultNames = ['.spectral.yaml', '.spectral.yml', '.spectral.json']

async function findDefault(cwd: string): Promise<string | null> {
  for (const name of defaultNames) if ((await readQuietly(join(cwd, name))) !== null) return name
  return null
}

/**
 * The guide that `--guide` names: a builtin one or a ruleset in a file; where it is absent `.spectral.yaml` of the current
 * folder, else the recommended one.
 * @throws SvcError `usage` where there is none of that name, or where the ruleset has faults
 */
export async function findGuide(
  name: string | undefined,
  around: Pick<Invocation, 'cwd' | 'io'>,
): Promise<ChosenGuide> {
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
  const { guide, problems } = await readRuleset(await readDocument(wanted, around), loaderFor(around.cwd))
  if (problems.length > 0)
    throw new SvcError('usage', {
      reason: `The ruleset ${basename(wanted)} has ${problems.length === 1 ? 'a fault' : `${problems.length} faults`}:\n${problems.map(place).join('\n')}`,
    })
  return { name: wanted, rulesFor: (file) => selectRules(guide, file), chosen: true }
}
