import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'dependent-schemas',
  action: 'removed',
  title: 'Dependent schema removed',
  explain:
    'The schema that holds when a property is there was removed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) =>
    `${fact.subject}: the presence of a property no longer asks more of the object: ${shorten(fact.before)}`,
  mirror: 'schema-dependent-schemas-added',
  aliases: [
    'request-body-dependent-schema-removed',
    'request-property-dependent-schema-removed',
    'response-body-dependent-schema-removed',
    'response-property-dependent-schema-removed',
  ],
} satisfies Rule as Rule
