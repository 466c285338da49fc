/** The paths of a ruleset, compiled once for all documents of a format. */
import { expandAlias } from './alias.ts'
import { PathSyntaxError, parseGiven, parsePath, type JsonPath } from './jsonpath/path.ts'
import { PathSet } from './jsonpath/walk.ts'
import type { FormatName } from './formats.ts'
import type { Rule, Ruleset } from './rule.ts'

export interface Plan {
  /** For each path the id of its rule. */
  readonly owners: readonly string[]
  readonly paths: PathSet
  /** For each path whether it leads to parents of what it finds. */
  readonly upward: readonly boolean[]
  /** For each path whether it begins anywhere ("$.."): what it finds behind references it finds without them too. */
  readonly anywhere: readonly boolean[]
}

// What walks learn of the paths is kept with them; of hostile ones that can be much.
const mostStates = 20_000

const known = new WeakMap<Ruleset, Map<string, Plan>>()

/** Whether a rule is for documents with these names of formats. */
export const appliesTo = ({ formats }: Rule, names: ReadonlySet<FormatName>): boolean =>
  formats?.some((name) => names.has(name as FormatName)) ?? true

/** Reads a path; null for one that cannot be read. */
export function tryPath(text: string): JsonPath | null {
  try {
    return parsePath(text)
  } catch (error) {
    if (error instanceof PathSyntaxError) return null
    throw error
  }
}

const pathsOf = (given: string): readonly JsonPath[] => {
  try {
    return parseGiven(given)
  } catch (error) {
    // Rules with such a path are skipped: see `readRuleParts`.
    if (error instanceof PathSyntaxError) return []
    throw error
  }
}

/** Which rules of a ruleset are planned together. */
interface Part {
  /** Those that look through references, or those that do not. */
  readonly resolved: boolean
  /** Those with custom functions, or those without. */
  readonly custom: boolean
}

const isIn = (rule: Rule, { resolved, custom }: Part): boolean =>
  (rule.resolved !== false) === resolved && rule.then.some((it) => it.custom === true) === custom

function compile(ruleset: Ruleset, formats: ReadonlySet<FormatName>, part: Part): Plan {
  const owners: string[] = []
  const paths: JsonPath[] = []
  for (const [id, rule] of Object.entries(ruleset)) {
    if (!isIn(rule, part) || rule.skipped !== undefined || !appliesTo(rule, formats)) continue
    for (const given of new Set(rule.given.flatMap((it) => expandAlias(it, rule.aliases ?? {}, formats) ?? []))) {
      for (const path of pathsOf(given)) {
        owners.push(id)
        paths.push(path)
      }
    }
  }
  const upward = paths.map(({ segments }) => segments.some((it) => it.kind === 'parent'))
  const anywhere = paths.map(({ segments: [first] }) => first !== undefined && first.kind !== 'parent' && first.deep)
  return { owners, paths: new PathSet(paths), upward, anywhere }
}

/** The paths of some rules for documents with these names of formats. */
export function planFor(ruleset: Ruleset, formats: ReadonlySet<FormatName>, part: Part): Plan {
  const key = `${part.resolved} ${part.custom} ${[...formats].join(' ')}`
  let plans = known.get(ruleset)
  if (plans === undefined) known.set(ruleset, (plans = new Map<string, Plan>()))
  let plan = plans.get(key)
  if (plan === undefined || plan.paths.size > mostStates) plans.set(key, (plan = compile(ruleset, formats, part)))
  return plan
}
