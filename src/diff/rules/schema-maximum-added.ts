import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'maximum',
  action: 'added',
  title: 'Maximum set',
  explain:
    'The maximum of numbers was set. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: a maximum of ${shorten(fact.after)} was set`,
  mirror: 'schema-maximum-removed',
  aliases: [
    'request-body-exclusive-max-set',
    'request-body-max-set',
    'request-parameter-exclusive-max-set',
    'request-parameter-max-set',
    'request-property-exclusive-max-set',
    'request-property-max-set',
  ],
} satisfies Rule as Rule
