import { typeList } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'type',
  action: 'widened',
  title: 'Type widened',
  explain:
    'Which JSON types a value may have. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: the type was widened from ${typeList(fact.before)} to ${typeList(fact.after)}`,
  mirror: 'schema-type-narrowed',
  aliases: [
    'request-body-list-of-types-widened',
    'request-body-type-compatible',
    'request-body-type-generalized',
    'request-parameter-list-of-types-widened',
    'request-parameter-property-list-of-types-widened',
    'request-parameter-property-type-generalized',
    'request-parameter-type-generalized',
    'request-property-list-of-types-widened',
    'request-property-type-compatible',
    'request-property-type-generalized',
    'response-body-list-of-types-widened',
    'response-body-type-compatible',
    'response-body-type-generalized',
    'response-header-type-compatible',
    'response-header-type-generalized',
    'response-property-list-of-types-widened',
    'response-property-type-compatible',
    'response-property-type-generalized',
  ],
} satisfies Rule as Rule
