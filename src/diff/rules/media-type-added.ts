import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'media-type',
  kind: 'itself',
  action: 'added',
  title: 'Media type added',
  explain: 'One more way to write the body. In a response it comes only when a client asks for it.',
  message: (fact) => `the media type ${fact.subject} was added`,
  mirror: 'media-type-removed',
  aliases: ['request-body-media-type-added', 'response-media-type-added'],
} satisfies Rule as Rule
