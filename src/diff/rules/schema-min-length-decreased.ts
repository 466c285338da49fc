import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'min-length',
  action: 'decreased',
  title: 'Minimum length lowered',
  explain:
    'The minimum length of texts was lowered. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) =>
    `${fact.subject}: the minimum length was lowered from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-min-length-increased',
  aliases: [
    'request-body-min-length-decreased',
    'request-parameter-min-length-decreased',
    'request-property-min-length-decreased',
    'response-body-min-length-decreased',
    'response-property-min-length-decreased',
  ],
} satisfies Rule as Rule
