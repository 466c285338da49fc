import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'write-only',
  action: 'removed',
  title: 'No longer write-only',
  explain: 'The member is no longer write-only. Where it is required it has to be sent from now on.',
  message: (fact) => `${fact.subject} is no longer write-only`,
  mirror: 'schema-write-only-added',
  aliases: [
    'request-optional-property-became-not-write-only',
    'request-required-property-became-not-write-only',
    'response-optional-property-became-not-write-only',
    'response-required-property-became-not-write-only',
  ],
} satisfies Rule as Rule
