import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'min-length',
  action: 'increased',
  title: 'Minimum length raised',
  explain:
    'The minimum length of texts was raised. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) =>
    `${fact.subject}: the minimum length was raised from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-min-length-decreased',
  aliases: [
    'request-body-min-length-increased',
    'request-parameter-min-length-increased',
    'request-property-min-length-increased',
  ],
} satisfies Rule as Rule
