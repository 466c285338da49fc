import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'xml',
  action: 'changed',
  title: 'XML form changed',
  explain:
    'How the value is written in XML. What that does to readers cannot be decided from the description, so it counts as undecided.',
  message: (fact) =>
    `${fact.subject} is written differently in XML now: ${shorten(fact.after)} instead of ${shorten(fact.before)}`,
  mirror: 'schema-xml-changed',
} satisfies Rule as Rule
