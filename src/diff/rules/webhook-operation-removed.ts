import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'webhook',
  kind: 'operation',
  action: 'removed',
  title: 'Operation of a webhook removed',
  explain: 'Whoever waits for this call waits in vain.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'webhook-operation-added',
} satisfies Rule as Rule
