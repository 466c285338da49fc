import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'content',
  action: 'removed',
  title: 'Description of embedded content removed',
  explain:
    'How a text encodes other content was removed. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: its text no longer has to hold ${shorten(fact.before)}`,
  mirror: 'schema-content-added',
  aliases: [
    'request-body-content-schema-removed',
    'request-property-content-schema-removed',
    'response-body-content-schema-removed',
    'response-property-content-schema-removed',
  ],
} satisfies Rule as Rule
