import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'read-only',
  action: 'added',
  title: 'Became read-only',
  explain:
    'A client that sends a read-only member is ignored or refused: in a request that counts as breaking in the standard profile (switch `request-property-read-only`).',
  message: (fact) => `${fact.subject} became read-only`,
  mirror: 'schema-read-only-removed',
  aliases: [
    'request-optional-property-became-read-only',
    'request-required-property-became-read-only',
    'response-optional-property-became-read-only',
    'response-required-property-became-read-only',
  ],
} satisfies Rule as Rule
