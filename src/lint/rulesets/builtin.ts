import spectralStructure from '../oas/spectral-structure.ts'
import oas3Schema from '../rules/oas3-schema.ts'
import { rules } from '../rules.gen.ts'
import type { BuiltinRule, Ruleset } from '../rule.ts'
import { asyncapiRules } from './asyncapi.ts'
import { vacuumOwaspRules, vacuumRules } from './vacuum.ts'

const pick = (test: (rule: BuiltinRule) => boolean): Ruleset =>
  Object.fromEntries(Object.entries(rules).filter(([, rule]) => test(rule)))

const isFor = (rule: BuiltinRule, prefix: string): boolean =>
  rule.formats?.some((name) => name.startsWith(prefix)) === true

const forOpenApi: Ruleset = {
  ...pick((rule) => rule.origin === 'spectral' && isFor(rule, 'oas')),
  'oas3-schema': { ...oas3Schema, then: [{ run: spectralStructure }] },
}

// What an agent needs of an operation, whether or not people need it too.
const agentRules = [
  'operation-operationId',
  'operation-operationId-unique',
  'operation-summary',
  'operation-description',
  'operation-example',
  'operation-error-schema',
  'operation-success-response',
  'oas3-parameter-description',
  'oas2-parameter-description',
  'oas3-schema',
  'oas2-schema',
]

const forAgents: Ruleset = Object.fromEntries(
  Object.entries(rules)
    .filter(([id, rule]) => agentRules.includes(id) || isFor(rule, 'mcp'))
    .map(([id, rule]) => [id, { ...rule, recommended: true }]),
)

/** The rulesets that `extends` and --guide know by name, with their rules that are not recommended. */
export const builtinRulesets: Readonly<Record<string, Ruleset>> = {
  'spectral:oas': forOpenApi,
  // As rulesets for versions of Spectral before 6 name it.
  'spectral:oas2': forOpenApi,
  'spectral:oas3': forOpenApi,
  'spectral:arazzo': pick((rule) => rule.origin === 'spectral' && isFor(rule, 'arazzo')),
  'spectral:asyncapi': asyncapiRules,
  'vacuum:oas': vacuumRules(forOpenApi),
  'vacuum:owasp': vacuumOwaspRules,
  'svc:recommended': rules,
  'svc:openapi': pick((rule) => isFor(rule, 'oas')),
  'svc:arazzo': pick((rule) => isFor(rule, 'arazzo')),
  'svc:json-schema': pick((rule) => isFor(rule, 'json-schema')),
  'svc:mcp': pick((rule) => isFor(rule, 'mcp')),
  'svc:agents': forAgents,
}

const openApiFormats = ['oas2', 'oas3', 'oas3_0', 'oas3_1', 'oas3_2']

/** The formats that the builtin rulesets are made for: a document of another format is reported as unknown. */
export const builtinFormats: Readonly<Record<string, readonly string[]>> = {
  'spectral:oas': openApiFormats,
  'spectral:oas2': openApiFormats,
  'spectral:oas3': openApiFormats,
  'vacuum:oas': openApiFormats,
  'vacuum:owasp': openApiFormats,
  'spectral:arazzo': ['arazzo1_0', 'arazzo1_1'],
  'spectral:asyncapi': [
    'aas2_0',
    'aas2_1',
    'aas2_2',
    'aas2_3',
    'aas2_4',
    'aas2_5',
    'aas2_6',
    'aas3_0',
    'aas3_1',
    'aas2',
    'aas3',
  ],
}
