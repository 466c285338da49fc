import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'minimum',
  action: 'decreased',
  title: 'Minimum lowered',
  explain:
    'The minimum of numbers was lowered. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: the minimum was lowered from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-minimum-increased',
  aliases: [
    'request-body-exclusive-min-decreased',
    'request-body-min-decreased',
    'request-parameter-exclusive-min-decreased',
    'request-parameter-min-decreased',
    'request-property-exclusive-min-decreased',
    'request-property-min-decreased',
    'response-body-exclusive-min-decreased',
    'response-body-min-decreased',
    'response-property-exclusive-min-decreased',
    'response-property-min-decreased',
  ],
} satisfies Rule as Rule
