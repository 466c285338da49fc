import type { Rule, Ruleset } from '../../src/lint/rule.ts'
import { recommended } from '../../src/lint/rulesets/recommended.ts'

/** A style guide as an analysis applies it. */
export interface LintGuide {
  readonly id: string
  readonly name: string
  /** The same for the same rules: what was found under it may be remembered by it. */
  readonly digest: string
  /** The rules for a file of that name. */
  rulesFor(source: string): Ruleset
}

/** The guide of a tenant that chose none. */
export const recommendedGuide: LintGuide = {
  id: 'svc-recommended',
  name: recommended.name,
  digest: 'builtin:svc-recommended',
  rulesFor: () => recommended.ruleset,
}

/** How heavy a rule weighs where nothing says otherwise. */
export const severityOf = (rule: Rule): NonNullable<Rule['severity']> => rule.severity ?? 'warning'
