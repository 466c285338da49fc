import { branchNames } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'one-of',
  action: 'removed',
  title: 'Choice (oneOf) removed',
  explain:
    'The value is no longer a choice among schemas. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) => `${fact.subject} no longer has to fit exactly one of ${branchNames(fact.before)} (oneOf)`,
  mirror: 'schema-one-of-added',
  aliases: [
    'request-body-one-of-removed',
    'request-property-one-of-removed',
    'response-body-one-of-removed',
    'response-property-one-of-removed',
  ],
} satisfies Rule as Rule
