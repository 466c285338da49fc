import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'maximum',
  action: 'increased',
  title: 'Maximum raised',
  explain:
    'The maximum of numbers was raised. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: the maximum was raised from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-maximum-decreased',
  aliases: [
    'request-body-exclusive-max-increased',
    'request-body-max-increased',
    'request-parameter-exclusive-max-increased',
    'request-parameter-max-increased',
    'request-property-exclusive-max-increased',
    'request-property-max-increased',
    'response-body-exclusive-max-increased',
    'response-body-max-increased',
    'response-property-exclusive-max-increased',
    'response-property-max-increased',
  ],
} satisfies Rule as Rule
