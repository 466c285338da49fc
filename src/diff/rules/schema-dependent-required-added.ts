import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'dependent-required',
  action: 'added',
  title: 'Dependency between properties added',
  explain:
    'Which properties have to come together was added. It tightens what is allowed. A request that was valid can be refused from then on, so it breaks there; in a response it only promises more.',
  message: (fact) => `${fact.subject}: some properties now need others: ${shorten(fact.after)}`,
  mirror: 'schema-dependent-required-removed',
  aliases: [
    'request-body-dependent-required-added',
    'request-property-dependent-required-added',
    'response-body-dependent-required-added',
    'response-property-dependent-required-added',
  ],
} satisfies Rule as Rule
