import { shorten } from '../describe.ts'
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
    `${fact.subject}: the tuple of items changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-prefix-items-changed',
} satisfies Rule as Rule
