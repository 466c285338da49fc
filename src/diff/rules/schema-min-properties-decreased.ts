import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'min-properties',
  action: 'decreased',
  title: 'Minimum number of properties lowered',
  explain:
    'The minimum number of properties of objects was lowered. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) =>
    `${fact.subject}: the minimum number of properties was lowered from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-min-properties-increased',
} satisfies Rule as Rule
