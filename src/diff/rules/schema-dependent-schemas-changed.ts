import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'dependent-schemas',
  action: 'changed',
  title: 'Dependent schema changed',
  explain:
    'The schema that holds when a property is there was changed. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) =>
    `${fact.subject}: what the presence of a property asks changed from ${shorten(fact.before)} to ${shorten(fact.after)}`,
  mirror: 'schema-dependent-schemas-changed',
} satisfies Rule as Rule
