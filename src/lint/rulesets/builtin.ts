import spectralStructure from '../oas/spectral-structure.ts'
import oas3Schema from '../rules/oas3-schema.ts'
import { rules } from '../rules.gen.ts'
import type { Rule, Ruleset } from '../rule.ts'

/** Rules that are ours alone: those who extend Spectral's own rulesets by name get none of them. */
const own = new Set([
  'operation-summary',
  'oas3_2-tag-parent',
  'oas3_2-querystring',
  'oas3_2-server-name-unique',
  'oas3_2-additional-operations',
  'oas3_2-example-value',
  'arazzo-operation-exists',
  'arazzo-workflow-exists',
  'arazzo-step-call',
  'arazzo-values-exist',
  'arazzo-no-cycles',
  'arazzo-source-available',
])

const pick = (test: (id: string, rule: Rule) => boolean): Ruleset =>
  Object.fromEntries(Object.entries(rules).filter(([id, rule]) => test(id, rule)))

const isFor = (rule: Rule, prefix: string): boolean => rule.formats?.some((name) => name.startsWith(prefix)) === true

const forOpenApi: Ruleset = {
  ...pick((id, rule) => isFor(rule, 'oas') && !own.has(id)),
  'oas3-schema': { ...oas3Schema, then: [{ run: spectralStructure }] },
}

/** The rulesets that `extends` and --guide know by name, with their rules that are not recommended. */
export const builtinRulesets: Readonly<Record<string, Ruleset>> = {
  'spectral:oas': forOpenApi,
  // As rulesets for versions of Spectral before 6 name it.
  'spectral:oas2': forOpenApi,
  'spectral:oas3': forOpenApi,
  'spectral:arazzo': pick((id, rule) => isFor(rule, 'arazzo') && !own.has(id)),
  'spectral:asyncapi': {},
  'svc:recommended': rules,
  'svc:openapi': pick((_, rule) => isFor(rule, 'oas')),
  'svc:arazzo': pick((_, rule) => isFor(rule, 'arazzo')),
  'svc:json-schema': pick((_, rule) => isFor(rule, 'json-schema')),
  'svc:mcp': pick((_, rule) => isFor(rule, 'mcp')),
}

const openApiFormats = ['oas2', 'oas3', 'oas3_0', 'oas3_1', 'oas3_2']

/** The formats that the builtin rulesets are made for: a document of none of them is unknown to whoever extends them. */
export const builtinFormats: Readonly<Record<string, readonly string[]>> = {
  'spectral:oas': openApiFormats,
  'spectral:oas2': openApiFormats,
  'spectral:oas3': openApiFormats,
  'spectral:arazzo': ['arazzo1_0'],
}
