import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'itself',
  action: 'changed',
  title: 'Schema changed',
  explain:
    'The schema allows other values in a way that no single statement explains, for example by rules that work together. Whether it breaks is decided by the values: a request breaks when a value that was accepted is refused, a response when a value can arrive that could not before. The change shows such a value.',
  message: (fact) => `${fact.subject} does not allow the same values as before`,
  mirror: 'schema-changed',
} satisfies Rule as Rule
