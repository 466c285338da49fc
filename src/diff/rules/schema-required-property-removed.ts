import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'required-property',
  action: 'removed',
  title: 'Required property removed',
  explain:
    'In a response clients wait for it in vain when it was required. In a request it is no longer read, or refused where the object is closed; that a client which sends it is ignored counts as breaking in the standard profile (switch `request-property-removed`).',
  message: (fact) => `the required property ${fact.subject} was removed`,
  mirror: 'schema-required-property-added',
  aliases: [
    'request-property-removed',
    'response-required-property-removed',
    'response-required-write-only-property-removed',
  ],
} satisfies Rule as Rule
