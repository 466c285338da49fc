import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'unique-items',
  action: 'added',
  title: 'Items have to be distinct',
  explain:
    'Whether the items of a list have to differ (`uniqueItems`). It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: items now have to be distinct`,
  mirror: 'schema-unique-items-removed',
} satisfies Rule as Rule
