import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'property-names',
  action: 'changed',
  title: 'Rule for property names changed',
  explain:
    'What the names of properties have to fit was changed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) =>
    `${fact.subject}: what the names of properties have to fit changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-property-names-changed',
} satisfies Rule as Rule
