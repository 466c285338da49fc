import { list } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'enum',
  action: 'removed',
  title: 'Enumeration removed',
  explain:
    'The value is no longer one of a list. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject} is no longer limited to ${list(fact.before)}`,
  mirror: 'schema-enum-added',
  aliases: [
    'request-body-const-removed',
    'request-property-const-removed',
    'response-body-const-removed',
    'response-property-const-removed',
  ],
} satisfies Rule as Rule
