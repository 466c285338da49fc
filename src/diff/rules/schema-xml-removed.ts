import { shorten } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'xml',
  action: 'removed',
  title: 'XML form removed',
  explain:
    'How the value is written in XML. What that does to readers cannot be decided from the description, so it counts as undecided.',
  message: (fact) => `${fact.subject} is written differently in XML now: no longer as ${shorten(fact.before)}`,
  mirror: 'schema-xml-added',
} satisfies Rule as Rule
