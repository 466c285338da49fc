import { list } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'enum',
  action: 'added',
  title: 'Limited to an enumeration',
  explain:
    'The value became one of a list. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject} is now limited to ${list(fact.after)}`,
  mirror: 'schema-enum-removed',
  aliases: [
    'request-header-property-became-enum',
    'request-body-became-enum',
    'request-body-const-added',
    'request-parameter-became-enum',
    'request-property-became-enum',
    'request-property-const-added',
    'response-body-const-added',
    'response-property-const-added',
  ],
} satisfies Rule as Rule
