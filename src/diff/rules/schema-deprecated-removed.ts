import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'deprecated',
  action: 'removed',
  title: 'No longer deprecated',
  explain: 'It is there to stay after all.',
  message: (fact) => `${fact.subject} is no longer deprecated`,
  mirror: 'schema-deprecated-added',
  aliases: ['request-property-reactivated', 'response-property-reactivated'],
} satisfies Rule as Rule
