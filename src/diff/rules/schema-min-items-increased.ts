import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'min-items',
  action: 'increased',
  title: 'Minimum number of items raised',
  explain:
    'The minimum number of items of lists was raised. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) =>
    `${fact.subject}: the minimum number of items was raised from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-min-items-decreased',
  aliases: [
    'request-body-min-items-increased',
    'request-parameter-min-items-increased',
    'request-property-min-items-increased',
  ],
} satisfies Rule as Rule
