import type { Rule, Ruleset } from '../../src/lint/rule.ts'
import type { RuleEntry } from '../../src/lint/ruleset.ts'
import { builtinRulesets } from '../../src/lint/rulesets/builtin.ts'
import { recommended } from '../../src/lint/rulesets/recommended.ts'
import { recommendedGuide } from './guide.ts'

/** A guide that every tenant has and no one changes. */
export interface BuiltinGuide {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly rules: Ruleset
}

/** The builtin guides; the first is the default of a tenant that chose none. */
export const builtinGuides: readonly BuiltinGuide[] = [
  {
    id: recommendedGuide.id,
    name: recommended.name,
    description: 'Every rule of the service, the recommended ones turned on.',
    rules: builtinRulesets[recommended.name] ?? {},
  },
  {
    id: 'spectral-oas',
    name: 'spectral:oas',
    description: 'The rules that Spectral brings for OpenAPI.',
    rules: builtinRulesets['spectral:oas'] ?? {},
  },
  {
    id: 'spectral-arazzo',
    name: 'spectral:arazzo',
    description: 'The rules that Spectral brings for Arazzo.',
    rules: builtinRulesets['spectral:arazzo'] ?? {},
  },
  {
    id: 'svc-agents',
    name: 'svc:agents',
    description: 'What agents need of descriptions of APIs and of MCP servers.',
    rules: builtinRulesets['svc:agents'] ?? {},
  },
]

/** The builtin guide of that id or name. */
export const findBuiltin = (ref: string): BuiltinGuide | null =>
  builtinGuides.find((it) => it.id === ref || it.name === ref) ?? null

/** Every builtin rule as a guide starts with it. */
export const startingRules = (rules: Ruleset): Map<string, RuleEntry> =>
  new Map(
    Object.entries(rules).map(([id, rule]: [string, Rule]) => [id, { rule, enabled: rule.recommended !== false }]),
  )

/** All rules that the service knows. */
export const everyRule: Ruleset = builtinGuides[0]?.rules ?? {}
