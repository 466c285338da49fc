import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'callback',
  kind: 'itself',
  action: 'removed',
  title: 'Callback removed',
  explain: 'Whoever waits for this call waits in vain.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'callback-added',
} satisfies Rule as Rule
