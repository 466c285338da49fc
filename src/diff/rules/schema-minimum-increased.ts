import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'minimum',
  action: 'increased',
  title: 'Minimum raised',
  explain:
    'The minimum of numbers was raised. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: the minimum was raised from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-minimum-decreased',
  aliases: [
    'request-body-exclusive-min-increased',
    'request-body-min-increased',
    'request-parameter-exclusive-min-increased',
    'request-parameter-min-increased',
    'request-property-exclusive-min-increased',
    'request-property-min-increased',
    'request-read-only-property-exclusive-min-increased',
    'request-read-only-property-min-increased',
  ],
} satisfies Rule as Rule
