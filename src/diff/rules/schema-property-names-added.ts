import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'property-names',
  action: 'added',
  title: 'Rule for property names added',
  explain:
    'What the names of properties have to fit was added. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: the names of properties now have to fit ${shorten(fact.after)}`,
  mirror: 'schema-property-names-removed',
  aliases: [
    'request-body-property-names-added',
    'request-property-property-names-added',
    'response-body-property-names-added',
    'response-property-property-names-added',
  ],
} satisfies Rule as Rule
