import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'optional-property',
  action: 'removed',
  title: 'Optional property removed',
  explain:
    'In a request it is no longer read, or refused where the object is closed; that counts as breaking in the standard profile (switch `request-property-removed`). In a response it could have been missing before, so it breaks only with the switch `response-optional-property-removed`.',
  message: (fact) => `the optional property ${fact.subject} was removed`,
  mirror: 'schema-optional-property-added',
  aliases: [
    'request-property-removed',
    'response-optional-property-removed',
    'response-optional-write-only-property-removed',
  ],
} satisfies Rule as Rule
