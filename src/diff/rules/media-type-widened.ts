import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'media-type',
  kind: 'itself',
  action: 'widened',
  title: 'Range of media types widened',
  explain: 'Answers can come in types that were not announced.',
  message: (fact) => `answers may now come as ${fact.subject}`,
  mirror: 'media-type-narrowed',
  aliases: ['response-media-type-name-generalized'],
} satisfies Rule as Rule
