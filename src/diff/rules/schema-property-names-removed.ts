import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'property-names',
  action: 'removed',
  title: 'Rule for property names removed',
  explain:
    'What the names of properties have to fit was removed. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: the names of properties no longer have to fit ${shorten(fact.before)}`,
  mirror: 'schema-property-names-added',
  aliases: [
    'request-body-property-names-removed',
    'request-property-property-names-removed',
    'response-body-property-names-removed',
    'response-property-property-names-removed',
  ],
} satisfies Rule as Rule
