import { lengthOf } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'prefix-items',
  action: 'removed',
  title: 'Tuple of items removed',
  explain:
    'The schemas of the first items of a list was removed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) => `${fact.subject}: the first items no longer have schemas of their own (${lengthOf(fact.before)})`,
  mirror: 'schema-prefix-items-added',
  aliases: [
    'request-body-prefix-items-removed',
    'request-property-prefix-items-removed',
    'response-body-prefix-items-removed',
    'response-property-prefix-items-removed',
  ],
} satisfies Rule as Rule
