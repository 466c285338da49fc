import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'xml',
  action: 'removed',
  title: 'XML form removed',
  explain:
    'How the value is written in XML. What that does to readers cannot be decided from the description, so it counts as undecided.',
  message: (fact) => `${fact.subject}: the XML form was removed`,
  mirror: 'schema-xml-added',
} satisfies Rule as Rule
