import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'unique-items',
  action: 'removed',
  title: 'Items may repeat',
  explain:
    'Whether the items of a list have to differ (`uniqueItems`). It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: items may now repeat`,
  mirror: 'schema-unique-items-added',
} satisfies Rule as Rule
