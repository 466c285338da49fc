import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'resource',
  kind: 'itself',
  action: 'added',
  title: 'Resource added',
  explain: 'One more resource to read; nobody has to use it.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'resource-removed',
} satisfies Rule as Rule
