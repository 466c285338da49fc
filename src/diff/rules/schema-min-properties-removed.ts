import { countOf } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'min-properties',
  action: 'removed',
  title: 'Minimum number of properties removed',
  explain:
    'The minimum number of properties of objects was removed. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: at least ${countOf(fact.before, 'property')} no longer needed`,
  mirror: 'schema-min-properties-added',
} satisfies Rule as Rule
