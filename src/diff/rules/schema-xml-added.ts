import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'xml',
  action: 'added',
  title: 'XML form added',
  explain:
    'How the value is written in XML. What that does to readers cannot be decided from the description, so it counts as undecided.',
  message: (fact) => `${fact.subject} is written differently in XML now: ${shorten(fact.after)}`,
  mirror: 'schema-xml-removed',
} satisfies Rule as Rule
