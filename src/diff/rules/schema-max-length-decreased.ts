import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'max-length',
  action: 'decreased',
  title: 'Maximum length lowered',
  explain:
    'The maximum length of texts was lowered. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) =>
    `${fact.subject}: the maximum length was lowered from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-max-length-increased',
  aliases: [
    'request-body-max-length-decreased',
    'request-parameter-max-length-decreased',
    'request-property-max-length-decreased',
    'request-read-only-property-max-length-decreased',
  ],
} satisfies Rule as Rule
