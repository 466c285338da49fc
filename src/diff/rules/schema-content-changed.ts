import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'content',
  action: 'changed',
  title: 'Description of embedded content changed',
  explain:
    'How a text encodes other content was changed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) =>
    `${fact.subject}: what its text holds changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-content-changed',
  aliases: [
    'request-body-content-encoding-changed',
    'request-body-content-media-type-changed',
    'request-property-content-encoding-changed',
    'request-property-content-media-type-changed',
    'response-body-content-encoding-changed',
    'response-body-content-media-type-changed',
    'response-property-content-encoding-changed',
    'response-property-content-media-type-changed',
  ],
} satisfies Rule as Rule
