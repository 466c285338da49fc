import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'pattern',
  action: 'added',
  title: 'Pattern added',
  explain:
    'The regular expression that a text has to match was added. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: the pattern ${shorten(fact.after)} was added`,
  mirror: 'schema-pattern-removed',
  aliases: ['request-parameter-pattern-added', 'request-property-pattern-added', 'response-property-pattern-added'],
} satisfies Rule as Rule
