import { workflowRules } from './arazzo/rules.ts'
import { bodyRules, mediaTypeRules } from './content/rules.ts'
import { documentRules } from './document/rules.ts'
import { argumentRules, packageRules, promptRules, remoteRules, resourceRules, toolRules } from './mcp-server/rules.ts'
import { callbackRules, operationRules, webhookRules } from './operations/rules.ts'
import { parameterRules } from './parameters/rules.ts'
import { headerRules, linkRules, statusRules } from './responses/rules.ts'
import type { Area, Rule, TopicOf } from './rule.ts'
import { schemaArrayRules } from './schema/rules/arrays.ts'
import { schemaChoiceRules } from './schema/rules/choices.ts'
import { schemaNumberRules } from './schema/rules/numbers.ts'
import { schemaObjectRules } from './schema/rules/objects.ts'
import { schemaRemarkRules } from './schema/rules/remarks.ts'
import { schemaStringRules } from './schema/rules/strings.ts'
import { schemaValueRules } from './schema/rules/values.ts'
import { securityRules } from './security/rules.ts'
import { serverRules } from './servers/rules.ts'

const tables = [
  documentRules,
  operationRules,
  webhookRules,
  callbackRules,
  parameterRules,
  bodyRules,
  mediaTypeRules,
  statusRules,
  headerRules,
  linkRules,
  schemaValueRules,
  schemaNumberRules,
  schemaStringRules,
  schemaArrayRules,
  schemaObjectRules,
  schemaChoiceRules,
  schemaRemarkRules,
  securityRules,
  serverRules,
  toolRules,
  promptRules,
  argumentRules,
  resourceRules,
  remoteRules,
  packageRules,
  workflowRules,
] as const

/** Every change rule by its id, in the order of the ids. */
export const rules: ReadonlyMap<string, Rule> = new Map(
  tables
    .flatMap((table) => [...table.rules.values()])
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((rule) => [rule.id, rule]),
)

/** What a check can report: area, kind and action of a rule that exists. */
export type Topic = TopicOf<(typeof tables)[number]>

/** The topics of one area, without the area. */
export type TopicIn<A extends Area> = DropArea<Extract<Topic, { readonly area: A }>>
type DropArea<T> = T extends unknown ? Omit<T, 'area'> : never
