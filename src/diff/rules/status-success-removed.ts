import type { Rule } from '../rule.ts'

export default {
  direction: 'response',
  area: 'status',
  kind: 'success',
  action: 'removed',
  title: 'Success status removed',
  explain: 'Clients wait for this status in vain.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'status-success-added',
  aliases: ['response-success-status-removed'],
} satisfies Rule as Rule
