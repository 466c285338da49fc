import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'condition',
  action: 'removed',
  title: 'Condition (if/then/else) removed',
  explain:
    'The condition under which further rules hold was removed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) => `${fact.subject}: a condition (if/then/else) was removed: ${shorten(fact.before)}`,
  mirror: 'schema-condition-added',
  aliases: [
    'request-body-else-removed',
    'request-body-if-removed',
    'request-body-then-removed',
    'request-property-else-removed',
    'request-property-if-removed',
    'request-property-then-removed',
    'response-body-else-removed',
    'response-body-if-removed',
    'response-body-then-removed',
    'response-property-else-removed',
    'response-property-if-removed',
    'response-property-then-removed',
  ],
} satisfies Rule as Rule
