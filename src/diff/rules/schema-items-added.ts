import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'items',
  action: 'added',
  title: 'Rule for items added',
  explain:
    'The items of a list got a schema. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: items now have a schema`,
  mirror: 'schema-items-removed',
} satisfies Rule as Rule
