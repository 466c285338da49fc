import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'max-items',
  action: 'increased',
  title: 'Maximum number of items raised',
  explain:
    'The maximum number of items of lists was raised. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) =>
    `${fact.subject}: the maximum number of items was raised from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-max-items-decreased',
  aliases: ['request-parameter-max-items-increased'],
} satisfies Rule as Rule
