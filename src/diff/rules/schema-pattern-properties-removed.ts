import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'pattern-properties',
  action: 'removed',
  title: 'Rule for properties by pattern removed',
  explain:
    'The schemas of properties whose names match a pattern was removed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) =>
    `${fact.subject}: properties are no longer described by the pattern of their names: ${shorten(fact.before)}`,
  mirror: 'schema-pattern-properties-added',
  aliases: [
    'request-body-pattern-property-removed',
    'request-property-pattern-property-removed',
    'response-body-pattern-property-removed',
    'response-property-pattern-property-removed',
  ],
} satisfies Rule as Rule
