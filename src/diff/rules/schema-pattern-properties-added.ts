import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'pattern-properties',
  action: 'added',
  title: 'Rule for properties by pattern added',
  explain:
    'The schemas of properties whose names match a pattern was added. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) =>
    `${fact.subject}: properties are now described by the pattern of their names: ${shorten(fact.after)}`,
  mirror: 'schema-pattern-properties-removed',
  aliases: [
    'request-body-pattern-property-added',
    'request-property-pattern-property-added',
    'response-body-pattern-property-added',
    'response-property-pattern-property-added',
  ],
} satisfies Rule as Rule
