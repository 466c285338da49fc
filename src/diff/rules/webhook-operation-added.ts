import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'webhook',
  kind: 'operation',
  action: 'added',
  title: 'Operation of a webhook added',
  explain: 'The service makes one more kind of call.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'webhook-operation-removed',
} satisfies Rule as Rule
