import { addedTo } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'optional-property',
  action: 'added',
  title: 'Optional property added',
  explain:
    'A new member that may be missing. It breaks only where objects were closed to other members, or where values of another kind were allowed under this name.',
  message: (fact) => `the optional property ${fact.subject} was added${addedTo(fact)}`,
  mirror: 'schema-optional-property-removed',
  aliases: [
    'new-optional-request-property',
    'response-optional-property-added',
    'response-optional-write-only-property-added',
  ],
} satisfies Rule as Rule
