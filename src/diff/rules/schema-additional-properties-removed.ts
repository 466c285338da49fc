import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'additional-properties',
  action: 'removed',
  title: 'Object closed',
  explain:
    'Members that nobody declares are refused. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: properties that are not listed are refused now`,
  mirror: 'schema-additional-properties-added',
} satisfies Rule as Rule
