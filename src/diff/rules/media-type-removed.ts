import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'media-type',
  kind: 'itself',
  action: 'removed',
  title: 'Media type removed',
  explain: 'Clients that send or read this type fail.',
  message: (fact) => `the media type ${fact.subject} was removed`,
  mirror: 'media-type-added',
  aliases: ['response-media-type-name-changed', 'request-body-media-type-removed', 'response-media-type-removed'],
} satisfies Rule as Rule
