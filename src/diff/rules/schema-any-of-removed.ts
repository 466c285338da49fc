import { branchNames } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'any-of',
  action: 'removed',
  title: 'Choice (anyOf) removed',
  explain:
    'The value is no longer a choice among schemas. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) => `${fact.subject} no longer has to fit one of ${branchNames(fact.before)} (anyOf)`,
  mirror: 'schema-any-of-added',
  aliases: [
    'request-body-any-of-removed',
    'request-property-any-of-removed',
    'response-body-any-of-removed',
    'response-property-any-of-removed',
  ],
} satisfies Rule as Rule
