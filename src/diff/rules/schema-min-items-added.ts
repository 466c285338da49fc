import { countOf } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'min-items',
  action: 'added',
  title: 'Minimum number of items set',
  explain:
    'The minimum number of items of lists was set. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: at least ${countOf(fact.after, 'item')} needed now`,
  mirror: 'schema-min-items-removed',
  aliases: ['request-body-min-items-set', 'request-parameter-min-items-set', 'request-property-min-items-set'],
} satisfies Rule as Rule
