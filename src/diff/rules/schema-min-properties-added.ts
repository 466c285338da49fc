import { countOf } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'min-properties',
  action: 'added',
  title: 'Minimum number of properties set',
  explain:
    'The minimum number of properties of objects was set. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: at least ${countOf(fact.after, 'property')} needed now`,
  mirror: 'schema-min-properties-removed',
} satisfies Rule as Rule
