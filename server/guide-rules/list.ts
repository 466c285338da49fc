/** Rules as the service lists them. */
import type { RuleSetting } from '../../db/tables/style-guides.ts'
import type { StyleGuideRule } from '../../src/api/style-guide-shapes.ts'
import type { RuleEntry } from '../../src/lint/ruleset.ts'
import { severityOf } from './guide.ts'
import { everyRule, startingRules, type BuiltinGuide } from './builtin.ts'

/**
 * A rule as it is listed.
 * @param before the builtin rule of that id
 * @param own whether the guide defines it itself
 */
export const listRule = (
  id: string,
  { rule, enabled }: RuleEntry,
  before: RuleEntry | undefined,
  own: boolean,
): StyleGuideRule => ({
  id,
  origin: own ? 'custom' : 'builtin',
  enabled,
  severity: severityOf(rule),
  defaultSeverity: severityOf((own ? undefined : before)?.rule ?? rule),
  recommended: rule.recommended !== false,
  formats: rule.formats === undefined ? null : [...rule.formats],
  description: rule.description ?? null,
  documentationUrl: rule.documentationUrl ?? null,
})

/** The rules of a builtin guide as they are listed. */
export const listBuiltin = ({ rules }: BuiltinGuide): readonly StyleGuideRule[] =>
  [...startingRules(rules)].map(([id, entry]) => listRule(id, entry, entry, false))

/** What has to be set over a fresh guide for it to have the rules of another without its custom ones. */
export function settingsLike(rules: readonly StyleGuideRule[]): Record<string, RuleSetting> {
  const wanted = new Map(rules.filter((it) => it.origin === 'builtin').map((it) => [it.id, it]))
  const settings: Record<string, RuleSetting> = {}
  for (const [id, { rule, enabled }] of startingRules(everyRule)) {
    const like = wanted.get(id)
    const on = like?.enabled ?? false
    const severity = like?.severity ?? severityOf(rule)
    if (on !== enabled || severity !== severityOf(rule))
      settings[id] = {
        ...(on === enabled ? {} : { enabled: on }),
        ...(severity === severityOf(rule) ? {} : { severity }),
      }
  }
  return settings
}
