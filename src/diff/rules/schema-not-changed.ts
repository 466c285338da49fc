import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'not',
  action: 'changed',
  title: 'Exclusion (not) changed',
  explain:
    'The schema that values must not fit was changed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) =>
    `${fact.subject}: the excluded values (not) changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-not-changed',
} satisfies Rule as Rule
