import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'enum-value',
  action: 'added',
  title: 'Enumerated value added',
  explain:
    'One more value is possible. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more. Clients that tolerate unknown values can say so with the profile `lenient`.',
  message: (fact) => `${fact.subject}: the value ${shorten(fact.after)} was added`,
  mirror: 'schema-enum-value-removed',
  aliases: [
    'response-write-only-property-enum-value-added',
    'request-parameter-enum-value-added',
    'request-parameter-property-enum-value-added',
    'request-property-enum-value-added',
    'response-property-enum-value-added',
  ],
} satisfies Rule as Rule
