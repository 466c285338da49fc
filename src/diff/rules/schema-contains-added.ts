import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'contains',
  action: 'added',
  title: 'Rule about contained items added',
  explain:
    'What a list has to contain was added. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject} now has to contain certain items: ${shorten(fact.after)}`,
  mirror: 'schema-contains-removed',
  aliases: [
    'request-body-contains-added',
    'request-property-contains-added',
    'response-body-contains-added',
    'response-property-contains-added',
  ],
} satisfies Rule as Rule
