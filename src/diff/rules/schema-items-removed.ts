import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'items',
  action: 'removed',
  title: 'Rule for items removed',
  explain:
    'The items of a list have no schema any more. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: items have no schema any more`,
  mirror: 'schema-items-added',
} satisfies Rule as Rule
