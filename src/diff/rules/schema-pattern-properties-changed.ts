import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'pattern-properties',
  action: 'changed',
  title: 'Rule for properties by pattern changed',
  explain:
    'The schemas of properties whose names match a pattern was changed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) =>
    `${fact.subject}: what properties may hold by the pattern of their names changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-pattern-properties-changed',
} satisfies Rule as Rule
