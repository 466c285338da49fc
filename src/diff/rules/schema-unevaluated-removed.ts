import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'unevaluated',
  action: 'removed',
  title: 'Rule for what no other rule looks at removed',
  explain:
    'What holds for members that no other keyword looks at was removed. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: what nothing else describes is allowed now`,
  mirror: 'schema-unevaluated-added',
  aliases: [
    'request-body-unevaluated-items-removed',
    'request-body-unevaluated-properties-removed',
    'request-property-unevaluated-items-removed',
    'request-property-unevaluated-properties-removed',
    'response-body-unevaluated-items-removed',
    'response-body-unevaluated-properties-removed',
    'response-property-unevaluated-items-removed',
    'response-property-unevaluated-properties-removed',
  ],
} satisfies Rule as Rule
