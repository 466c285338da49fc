import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'dependent-schemas',
  action: 'added',
  title: 'Dependent schema added',
  explain:
    'The schema that holds when a property is there was added. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) => `${fact.subject}: the presence of a property now asks more of the object: ${shorten(fact.after)}`,
  mirror: 'schema-dependent-schemas-removed',
  aliases: [
    'request-body-dependent-schema-added',
    'request-property-dependent-schema-added',
    'response-body-dependent-schema-added',
    'response-property-dependent-schema-added',
  ],
} satisfies Rule as Rule
