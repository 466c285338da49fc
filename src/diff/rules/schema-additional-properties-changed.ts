import { schemaName } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'additional-properties',
  action: 'changed',
  title: 'Rule for other members changed',
  explain:
    'What members that nobody declares have to be. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) =>
    `${fact.subject}: what properties that are not listed may hold changed from ${schemaName(fact.before)} to ${schemaName(fact.after)}`,
  mirror: 'schema-additional-properties-changed',
} satisfies Rule as Rule
