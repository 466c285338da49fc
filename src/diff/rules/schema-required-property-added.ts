import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'required-property',
  action: 'added',
  title: 'Required property added',
  explain:
    'Whoever sends the object has to add it. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `the required property ${fact.subject} was added`,
  mirror: 'schema-required-property-removed',
  aliases: [
    'new-required-request-header-property',
    'new-required-request-property',
    'new-required-request-property-with-default',
    'response-required-property-added',
    'response-required-write-only-property-added',
  ],
} satisfies Rule as Rule
