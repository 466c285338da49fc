import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'callback',
  kind: 'operation',
  action: 'added',
  title: 'Operation of a callback added',
  explain: 'The service makes one more kind of call.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'callback-operation-removed',
} satisfies Rule as Rule
