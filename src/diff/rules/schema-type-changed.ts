import { typeList } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'type',
  action: 'changed',
  title: 'Type changed',
  explain:
    'Which JSON types a value may have. The types before and after have values that the other side lacks. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) => `${fact.subject}: the type changed from ${typeList(fact.before)} to ${typeList(fact.after)}`,
  mirror: 'schema-type-changed',
  aliases: [
    'request-body-type-changed',
    'request-parameter-property-type-changed',
    'request-parameter-type-changed',
    'request-property-type-changed',
    'response-body-type-changed',
    'response-header-type-changed',
    'response-property-type-changed',
  ],
} satisfies Rule as Rule
