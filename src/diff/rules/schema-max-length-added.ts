import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'max-length',
  action: 'added',
  title: 'Maximum length set',
  explain:
    'The maximum length of texts was set. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: a maximum length of ${shorten(fact.after)} was set`,
  mirror: 'schema-max-length-removed',
  aliases: ['request-body-max-length-set', 'request-parameter-max-length-set', 'request-property-max-length-set'],
} satisfies Rule as Rule
