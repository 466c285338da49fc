import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'media-type',
  kind: 'schema',
  action: 'added',
  title: 'Schema of a body added',
  explain:
    'A body that could hold anything is described now. What a client sent can be refused from then on, so it breaks in a request; in a response it only promises more.',
  message: (fact) => `${fact.subject} now has a schema; before, anything was possible`,
  mirror: 'media-type-schema-removed',
  aliases: ['request-body-media-type-schema-added', 'response-body-media-type-schema-added'],
} satisfies Rule as Rule
