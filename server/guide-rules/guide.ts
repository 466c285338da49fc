import type { RuleSetting } from '../../db/tables/style-guides.ts'
import type { Rule, Ruleset } from '../../src/lint/rule.ts'
import { defaultGuideOptions, type GuideOptions } from '../../src/lint/ruleset.ts'
import { recommended } from '../../src/lint/rulesets/recommended.ts'

/** What decides the rules of a guide. */
export interface RuleSource {
  readonly settings: Readonly<Record<string, RuleSetting>>
  readonly customRules: string
}

/** A style guide by what decides its rules. */
export interface LintGuide {
  readonly id: string
  readonly name: string
  /** The same for the same rules: what was found under it may be remembered by it. */
  readonly digest: string
  /** What it is made of; null for a builtin one. */
  readonly source: RuleSource | null
}

/** The rules of a guide, ready to be applied. */
export interface Applicable {
  /** What it says beside its rules. */
  readonly options: GuideOptions
  /** The rules for a file of that name. */
  rulesFor(source: string): Ruleset
}

/** The guide of a tenant that chose none. */
export const recommendedGuide: LintGuide = {
  id: 'svc-recommended',
  name: recommended.name,
  digest: 'builtin:svc-recommended',
  source: null,
}

/** Its rules. */
export const recommendedRules: Applicable = {
  options: defaultGuideOptions,
  rulesFor: () => recommended.ruleset,
}

/** How heavy a rule weighs where nothing says otherwise. */
export const severityOf = (rule: Rule): NonNullable<Rule['severity']> => rule.severity ?? 'warning'
