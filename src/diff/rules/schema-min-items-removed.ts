import { countOf } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'min-items',
  action: 'removed',
  title: 'Minimum number of items removed',
  explain:
    'The minimum number of items of lists was removed. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: at least ${countOf(fact.before, 'item')} no longer needed`,
  mirror: 'schema-min-items-added',
  aliases: ['response-body-min-items-unset', 'response-property-min-items-unset'],
} satisfies Rule as Rule
