import { countOf } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'max-properties',
  action: 'added',
  title: 'Maximum number of properties set',
  explain:
    'The maximum number of properties of objects was set. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: no more than ${countOf(fact.after, 'property')} allowed now`,
  mirror: 'schema-max-properties-removed',
} satisfies Rule as Rule
