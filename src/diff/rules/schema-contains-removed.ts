import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'contains',
  action: 'removed',
  title: 'Rule about contained items removed',
  explain:
    'What a list has to contain was removed. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject} no longer has to contain certain items: ${shorten(fact.before)}`,
  mirror: 'schema-contains-added',
  aliases: [
    'request-body-contains-removed',
    'request-property-contains-removed',
    'response-body-contains-removed',
    'response-property-contains-removed',
  ],
} satisfies Rule as Rule
