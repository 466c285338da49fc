import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'min-items',
  action: 'decreased',
  title: 'Minimum number of items lowered',
  explain:
    'The minimum number of items of lists was lowered. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) =>
    `${fact.subject}: the minimum number of items was lowered from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-min-items-increased',
  aliases: [
    'request-parameter-min-items-decreased',
    'response-body-min-items-decreased',
    'response-property-min-items-decreased',
  ],
} satisfies Rule as Rule
