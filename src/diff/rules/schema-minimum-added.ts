import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'minimum',
  action: 'added',
  title: 'Minimum set',
  explain:
    'The minimum of numbers was set. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: a minimum of ${shorten(fact.after)} was set`,
  mirror: 'schema-minimum-removed',
  aliases: [
    'request-body-exclusive-min-set',
    'request-body-min-set',
    'request-parameter-exclusive-min-set',
    'request-parameter-min-set',
    'request-property-exclusive-min-set',
    'request-property-min-set',
  ],
} satisfies Rule as Rule
