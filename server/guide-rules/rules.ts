import { parseDocument } from '../../src/document/parse.ts'
import { isObject } from '../../src/kernel/json.ts'
import { formatPointer } from '../../src/kernel/pointer.ts'
import type { StyleGuideRule } from '../../src/api/style-guide-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import type { Ruleset } from '../../src/lint/rule.ts'
import { readRuleset } from '../../src/lint/read-ruleset.ts'
import { defaultGuideOptions, selectRules, type Guide, type RuleEntry } from '../../src/lint/ruleset.ts'
import type { RuleSetting } from '../../db/tables/style-guides.ts'
import type { Applicable, RuleSource } from './guide.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import { builtinDigest, digestOfRules } from './digest.ts'
import { listBuiltin, listRule } from './list.ts'
import { rulesMissing } from './own-rules.ts'
import { everyRule, startingRules, type BuiltinGuide } from './builtin.ts'

/** The rules of a guide, ready to be listed and applied. */
export interface GuideRules {
  readonly list: readonly StyleGuideRule[]
  readonly digest: string
  readonly guide: Guide
}

const ownName = 'custom-rules.yaml'
const cacheBytes = 4 * 1024 * 1024
const read = new SizedCache<GuideRules>(cacheBytes, 'analysis_rules')

async function readCustomRules(yaml: string): Promise<Guide> {
  // A guide that never had custom rules has an empty text; one that is saved says what its rules are.
  const document = parseDocument(yaml === '' ? 'rules: {}' : yaml, { source: ownName })
  const { guide, problems } = await readRuleset(document, async () => null, {
    base: startingRules(everyRule),
    defaults: defaultGuideOptions,
  })
  const { value } = document
  if (problems.length === 0 && !(isObject(value) && isObject(value.rules))) throw rulesMissing()
  const [first] = problems
  if (first !== undefined)
    throw new SvcError('custom-rules-invalid', {
      reason: first.message,
      pointer: formatPointer(first.path),
      line: first.range.start.line + 1,
      column: first.range.start.character + 1,
      problems: problems.map(({ message, path, range }) => ({ message, pointer: formatPointer(path), range })),
    })
  return guide
}

/** The ids of the rules that a custom-rules document itself defines. */
const definedIn = (yaml: string): ReadonlySet<string> => {
  const { value } = parseDocument(yaml, { source: ownName })
  const rules = isObject(value) && isObject(value.rules) ? value.rules : {}
  return new Set(Object.keys(rules).filter((id) => isObject(rules[id])))
}

const settle = (entry: RuleEntry, setting: RuleSetting | undefined): RuleEntry =>
  setting === undefined
    ? entry
    : {
        rule: setting.severity === undefined ? entry.rule : { ...entry.rule, severity: setting.severity },
        enabled: setting.enabled ?? entry.enabled,
      }

const settleAll = (
  entries: ReadonlyMap<string, RuleEntry>,
  settings: RuleSource['settings'],
): ReadonlyMap<string, RuleEntry> => new Map([...entries].map(([id, entry]) => [id, settle(entry, settings[id])]))

/**
 * The rules of a guide: the builtin ones, over them its custom-rules document, over that what was set by hand.
 * @throws SvcError `custom-rules-invalid` with the place of every fault
 */
export async function readRules(source: RuleSource): Promise<GuideRules> {
  const digest = digestOfRules(source)
  const known = read.get(digest)
  if (known !== undefined) return known
  const guide = await readCustomRules(source.customRules)
  const own = definedIn(source.customRules)
  const starting = startingRules(everyRule)
  const entries = settleAll(guide.entries, source.settings)
  const rules: GuideRules = {
    digest,
    list: [...entries].map(([id, entry]) => listRule(id, entry, starting.get(id), own.has(id) || !starting.has(id))),
    guide: {
      ...guide,
      entries,
      forFile: (name) => {
        const found = guide.forFile(name)
        return found === guide.entries ? entries : settleAll(found, source.settings)
      },
    },
  }
  read.set(digest, rules, source.customRules.length + 10_000)
  return rules
}

/** The rules of a builtin guide. */
export function readBuiltin(builtin: BuiltinGuide): GuideRules {
  const entries = startingRules(builtin.rules)
  return {
    digest: builtinDigest(builtin.id),
    list: listBuiltin(builtin),
    guide: { source: '', options: defaultGuideOptions, entries, pointerOverrides: [], forFile: () => entries },
  }
}

/** The rules of a guide as an analysis applies them. */
export function applicableOf({ guide }: GuideRules): Applicable {
  // The same rules are the same value for every file: what is compiled of them is kept by it.
  let shared: Ruleset | null = null
  return {
    options: guide.options,
    rulesFor: (file) => {
      if (guide.pointerOverrides.length > 0 || guide.forFile(file) !== guide.entries) return selectRules(guide, file)
      return (shared ??= selectRules(guide, file))
    },
  }
}
