import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'maximum',
  action: 'decreased',
  title: 'Maximum lowered',
  explain:
    'The maximum of numbers was lowered. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: the maximum was lowered from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-maximum-increased',
  aliases: [
    'request-body-exclusive-max-decreased',
    'request-body-max-decreased',
    'request-parameter-exclusive-max-decreased',
    'request-parameter-max-decreased',
    'request-property-exclusive-max-decreased',
    'request-property-max-decreased',
    'request-read-only-property-exclusive-max-decreased',
    'request-read-only-property-max-decreased',
  ],
} satisfies Rule as Rule
