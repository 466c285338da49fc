import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'dependent-required',
  action: 'changed',
  title: 'Dependency between properties changed',
  explain:
    'Which properties have to come together was changed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) =>
    `${fact.subject}: which properties need others changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-dependent-required-changed',
  aliases: [
    'request-body-dependent-required-changed',
    'request-property-dependent-required-changed',
    'response-body-dependent-required-changed',
    'response-property-dependent-required-changed',
  ],
} satisfies Rule as Rule
