import { lengthOf } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'prefix-items',
  action: 'changed',
  title: 'Tuple of items changed',
  explain:
    'The schemas of the first items of a list was changed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) =>
    `${fact.subject}: the number of first items with schemas of their own changed from ${lengthOf(fact.before)} to ${lengthOf(fact.after)}`,
  mirror: 'schema-prefix-items-changed',
} satisfies Rule as Rule
