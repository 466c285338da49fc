import { typeList } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'type',
  action: 'narrowed',
  title: 'Type narrowed',
  explain:
    'Which JSON types a value may have. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: the type was narrowed from ${typeList(fact.before)} to ${typeList(fact.after)}`,
  mirror: 'schema-type-widened',
  aliases: [
    'request-body-list-of-types-narrowed',
    'request-parameter-list-of-types-narrowed',
    'request-parameter-property-list-of-types-narrowed',
    'request-parameter-property-type-specialized',
    'request-property-list-of-types-narrowed',
    'response-body-list-of-types-narrowed',
    'response-body-type-specialized',
    'response-header-type-specialized',
    'response-property-list-of-types-narrowed',
    'response-property-type-specialized',
  ],
} satisfies Rule as Rule
