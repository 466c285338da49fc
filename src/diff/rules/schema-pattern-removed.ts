import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'pattern',
  action: 'removed',
  title: 'Pattern removed',
  explain:
    'The regular expression that a text has to match was removed. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: the pattern ${shorten(fact.before)} was removed`,
  mirror: 'schema-pattern-added',
  aliases: [
    'request-parameter-pattern-removed',
    'request-property-pattern-removed',
    'response-property-pattern-removed',
  ],
} satisfies Rule as Rule
