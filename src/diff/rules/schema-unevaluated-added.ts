import { schemaName } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'unevaluated',
  action: 'added',
  title: 'Rule for what no other rule looks at added',
  explain:
    'What holds for members that no other keyword looks at was added. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) =>
    `${fact.subject}: what nothing else describes is now ${fact.after === false ? 'refused' : `limited to ${schemaName(fact.after)}`}`,
  mirror: 'schema-unevaluated-removed',
  aliases: [
    'request-body-unevaluated-items-added',
    'request-body-unevaluated-properties-added',
    'request-property-unevaluated-items-added',
    'request-property-unevaluated-properties-added',
    'response-body-unevaluated-items-added',
    'response-body-unevaluated-properties-added',
    'response-property-unevaluated-items-added',
    'response-property-unevaluated-properties-added',
  ],
} satisfies Rule as Rule
