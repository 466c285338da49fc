import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'additional-properties',
  action: 'added',
  title: 'Object opened',
  explain:
    'Members that nobody declares became possible. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: properties that are not listed are allowed now`,
  mirror: 'schema-additional-properties-removed',
} satisfies Rule as Rule
