import { countOf } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'max-items',
  action: 'added',
  title: 'Maximum number of items set',
  explain:
    'The maximum number of items of lists was set. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: no more than ${countOf(fact.after, 'item')} allowed now`,
  mirror: 'schema-max-items-removed',
} satisfies Rule as Rule
