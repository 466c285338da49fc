import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'callback',
  kind: 'operation',
  action: 'removed',
  title: 'Operation of a callback removed',
  explain: 'Whoever waits for this call waits in vain.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'callback-operation-added',
} satisfies Rule as Rule
