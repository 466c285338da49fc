import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'condition',
  action: 'added',
  title: 'Condition (if/then/else) added',
  explain:
    'The condition under which further rules hold was added. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) => `${fact.subject}: a condition (if/then/else) was added: ${shorten(fact.after)}`,
  mirror: 'schema-condition-removed',
  aliases: [
    'request-body-else-added',
    'request-body-if-added',
    'request-body-then-added',
    'request-property-else-added',
    'request-property-if-added',
    'request-property-then-added',
    'response-body-else-added',
    'response-body-if-added',
    'response-body-then-added',
    'response-property-else-added',
    'response-property-if-added',
    'response-property-then-added',
  ],
} satisfies Rule as Rule
