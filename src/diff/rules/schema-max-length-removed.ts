import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'max-length',
  action: 'removed',
  title: 'Maximum length removed',
  explain:
    'The maximum length of texts was removed. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: the maximum length of ${shorten(fact.before)} was removed`,
  mirror: 'schema-max-length-added',
  aliases: ['response-body-max-length-unset', 'response-property-max-length-unset'],
} satisfies Rule as Rule
