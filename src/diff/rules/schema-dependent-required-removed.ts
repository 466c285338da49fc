import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'dependent-required',
  action: 'removed',
  title: 'Dependency between properties removed',
  explain:
    'Which properties have to come together was removed. It loosens what is allowed. A response can then hold what clients were promised not to get, so it breaks there; in a request it only accepts more.',
  message: (fact) => `${fact.subject}: properties no longer need others: ${shorten(fact.before)}`,
  mirror: 'schema-dependent-required-added',
  aliases: [
    'request-body-dependent-required-removed',
    'request-property-dependent-required-removed',
    'response-body-dependent-required-removed',
    'response-property-dependent-required-removed',
  ],
} satisfies Rule as Rule
