import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'max-items',
  action: 'decreased',
  title: 'Maximum number of items lowered',
  explain:
    'The maximum number of items of lists was lowered. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) =>
    `${fact.subject}: the maximum number of items was lowered from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-max-items-increased',
  aliases: ['request-parameter-max-items-decreased'],
} satisfies Rule as Rule
