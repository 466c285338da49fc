import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'media-type',
  kind: 'schema',
  action: 'removed',
  title: 'Schema of a body removed',
  explain:
    'Nothing describes the body any more, so it can hold anything. A client can no longer rely on what comes in a response, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject} no longer has a schema: anything is possible now`,
  mirror: 'media-type-schema-added',
  aliases: ['request-body-media-type-schema-removed', 'response-body-media-type-schema-removed'],
} satisfies Rule as Rule
