import { branchNames } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'any-of',
  action: 'added',
  title: 'Choice (anyOf) added',
  explain:
    'The value became a choice among schemas. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) => `${fact.subject} now has to fit at least one of ${branchNames(fact.after)} (anyOf)`,
  mirror: 'schema-any-of-removed',
  aliases: [
    'request-body-any-of-added',
    'request-property-any-of-added',
    'response-body-any-of-added',
    'response-property-any-of-added',
  ],
} satisfies Rule as Rule
