import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'read-only',
  action: 'removed',
  title: 'No longer read-only',
  explain: 'The member is no longer read-only. Where it is required it has to be sent from now on.',
  message: (fact) => `${fact.subject} is no longer read-only`,
  mirror: 'schema-read-only-added',
  aliases: [
    'request-optional-property-became-not-read-only',
    'request-required-property-became-not-read-only',
    'response-optional-property-became-not-read-only',
    'response-required-property-became-not-read-only',
  ],
} satisfies Rule as Rule
