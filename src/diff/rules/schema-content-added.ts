import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'content',
  action: 'added',
  title: 'Description of embedded content added',
  explain:
    'How a text encodes other content was added. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: its text now holds ${shorten(fact.after)}`,
  mirror: 'schema-content-removed',
  aliases: [
    'request-body-content-schema-added',
    'request-property-content-schema-added',
    'response-body-content-schema-added',
    'response-property-content-schema-added',
  ],
} satisfies Rule as Rule
