import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'write-only',
  action: 'added',
  title: 'Became write-only',
  explain:
    'A write-only member does not come back: in a response that counts as breaking in the standard profile (switch `response-property-write-only`).',
  message: (fact) => `${fact.subject} became write-only`,
  mirror: 'schema-write-only-removed',
  aliases: [
    'request-optional-property-became-write-only',
    'request-required-property-became-write-only',
    'response-optional-property-became-write-only',
    'response-required-property-became-write-only',
  ],
} satisfies Rule as Rule
