import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'condition',
  action: 'changed',
  title: 'Condition (if/then/else) changed',
  explain:
    'The condition under which further rules hold was changed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) =>
    `${fact.subject}: a condition (if/then/else) changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-condition-changed',
} satisfies Rule as Rule
