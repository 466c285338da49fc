import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'max-properties',
  action: 'decreased',
  title: 'Maximum number of properties lowered',
  explain:
    'The maximum number of properties of objects was lowered. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) =>
    `${fact.subject}: the maximum number of properties was lowered from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-max-properties-increased',
} satisfies Rule as Rule
