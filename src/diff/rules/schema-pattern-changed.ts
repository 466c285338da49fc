import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'pattern',
  action: 'changed',
  title: 'Pattern changed',
  explain:
    'The regular expression that a text has to match was changed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value. Two patterns are compared as sets of texts, so a wider spelling is known to be wider.',
  message: (fact) => `${fact.subject}: the pattern changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-pattern-changed',
  aliases: [
    'request-parameter-pattern-changed',
    'request-parameter-pattern-generalized',
    'request-property-pattern-changed',
    'request-property-pattern-generalized',
    'response-property-pattern-changed',
  ],
} satisfies Rule as Rule
