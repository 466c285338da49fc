import { lengthOf } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'prefix-items',
  action: 'added',
  title: 'Tuple of items added',
  explain:
    'The schemas of the first items of a list was added. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) => `${fact.subject}: the first items now have schemas of their own (${lengthOf(fact.after)})`,
  mirror: 'schema-prefix-items-removed',
  aliases: [
    'request-body-prefix-items-added',
    'request-property-prefix-items-added',
    'response-body-prefix-items-added',
    'response-property-prefix-items-added',
  ],
} satisfies Rule as Rule
