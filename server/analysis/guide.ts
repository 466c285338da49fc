import type { RuleSetting } from '../../db/tables/style-guides.ts'
import type { Rule, Ruleset } from '../../src/lint/rule.ts'
import { defaultGuideOptions, type GuideOptions } from '../../src/lint/ruleset.ts'
import { recommended } from '../../src/lint/rulesets/recommended.ts'

/** What decides the rules of a guide. */
export interface RuleSource {
  readonly settings: Readonly<Record<string, RuleSetting>>
  readonly customRules: string
}

/** A style guide as an analysis applies it. */
export interface LintGuide {
  readonly id: string
  readonly name: string
  /** The same for the same rules: what was found under it may be remembered by it. */
  readonly digest: string
  /** What it is made of; null for a builtin one. */
  readonly source: RuleSource | null
  /** What it says beside its rules. */
  readonly options: GuideOptions
  /** The rules for a file of that name. */
  rulesFor(source: string): Ruleset
}

/** What a guide says of a text, without its name. */
export type Applicable = Pick<LintGuide, 'rulesFor' | 'options'>

/** The guide of a tenant that chose none. */
export const recommendedGuide: LintGuide = {
  id: 'svc-recommended',
  name: recommended.name,
  digest: 'builtin:svc-recommended',
  source: null,
  options: defaultGuideOptions,
  rulesFor: () => recommended.ruleset,
}

/** How heavy a rule weighs where nothing says otherwise. */
export const severityOf = (rule: Rule): NonNullable<Rule['severity']> => rule.severity ?? 'warning'
