import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'max-length',
  action: 'increased',
  title: 'Maximum length raised',
  explain:
    'The maximum length of texts was raised. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) =>
    `${fact.subject}: the maximum length was raised from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-max-length-decreased',
  aliases: [
    'request-body-max-length-increased',
    'request-parameter-max-length-increased',
    'request-property-max-length-increased',
    'response-body-max-length-increased',
    'response-property-max-length-increased',
  ],
} satisfies Rule as Rule
