import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'enum-value',
  action: 'removed',
  title: 'Enumerated value removed',
  explain:
    'One value less is possible. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: the value ${shorten(fact.before)} was removed`,
  mirror: 'schema-enum-value-added',
  aliases: [
    'request-body-const-changed',
    'request-body-enum-value-removed',
    'request-parameter-enum-value-removed',
    'request-parameter-property-enum-value-removed',
    'request-property-const-changed',
    'request-property-enum-value-removed',
    'request-read-only-property-enum-value-removed',
    'response-body-const-changed',
    'response-mediatype-enum-value-removed',
    'response-property-const-changed',
    'response-property-enum-value-removed',
  ],
} satisfies Rule as Rule
