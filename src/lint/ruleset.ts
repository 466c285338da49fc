import type { JsonObject, Path } from '../document/json.ts'
import type { Problem } from '../document/document.ts'
import { fitsGlob } from './glob.ts'
import type { Rule, Ruleset, SeverityOverride } from './rule.ts'
import type { Severity } from './finding.ts'

/** A rule with whether it applies: a ruleset keeps those that are off, so that others can turn them on. */
export interface RuleEntry {
  readonly rule: Rule
  readonly enabled: boolean
}

/** A severity that a ruleset sets below a pointer of some files. */
export interface PointerOverride {
  readonly glob: string
  readonly pointer: string
  readonly rule: string
  readonly severity: Severity | 'off'
}

/** An entry of `overrides` for whole files: its rules are merged over the others. */
export interface FileOverride {
  readonly globs: readonly string[]
  readonly definition: JsonObject
  readonly path: Path
}

/** What a ruleset says beside its rules. */
export interface GuideOptions {
  /** The formats that it and its rules name: a document of none of them is told to be unknown. */
  readonly formats: readonly string[]
  readonly duplicateKeys: Severity | 'off'
  /** Keys of YAML that are no texts: `200:` without quotes. */
  readonly incompatibleValues: Severity | 'off'
}

/** Where a guide says nothing: what reads well is nothing to complain of. */
export const defaultGuideOptions: GuideOptions = { formats: [], duplicateKeys: 'error', incompatibleValues: 'off' }

/** A ruleset as it was read. */
export interface Guide {
  readonly options: GuideOptions
  readonly entries: ReadonlyMap<string, RuleEntry>
  readonly pointerOverrides: readonly PointerOverride[]
  /** The rules of this guide for a file, where `overrides` say something of it. */
  readonly forFile: (name: string) => ReadonlyMap<string, RuleEntry>
}

/** What may be wrong with a ruleset, with its place in the ruleset's text. */
export interface GuideProblem extends Problem {
  /** The ruleset that holds the place. */
  readonly source: string
}

/** The rules of a guide that apply to a file of that name, relative to the ruleset's folder. */
export function selectRules(guide: Guide, name: string): Ruleset {
  const rules: Record<string, Rule> = {}
  for (const [id, { rule, enabled }] of guide.forFile(name)) {
    if (!enabled) continue
    const overrides: SeverityOverride[] = guide.pointerOverrides.filter(
      (it) => it.rule === id && fitsGlob(name, it.glob),
    )
    rules[id] = overrides.length === 0 ? rule : { ...rule, overrides: [...(rule.overrides ?? []), ...overrides] }
  }
  return rules
}
