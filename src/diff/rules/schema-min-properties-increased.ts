import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'min-properties',
  action: 'increased',
  title: 'Minimum number of properties raised',
  explain:
    'The minimum number of properties of objects was raised. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) =>
    `${fact.subject}: the minimum number of properties was raised from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-min-properties-decreased',
} satisfies Rule as Rule
