import { branchNames } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'one-of',
  action: 'added',
  title: 'Choice (oneOf) added',
  explain:
    'The value became a choice among schemas. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value. With `oneOf` a value that fits two branches is refused, so wrapping in overlapping branches breaks.',
  message: (fact) => `${fact.subject} now has to fit exactly one of ${branchNames(fact.after)} (oneOf)`,
  mirror: 'schema-one-of-removed',
  aliases: [
    'request-body-wrapped-in-one-of',
    'response-body-wrapped-in-one-of',
    'request-body-one-of-added',
    'request-property-one-of-added',
    'response-body-one-of-added',
    'response-property-one-of-added',
  ],
} satisfies Rule as Rule
