import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'server',
  kind: 'itself',
  action: 'added',
  title: 'Server added',
  explain: 'One more address to call.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'server-removed',
} satisfies Rule as Rule
