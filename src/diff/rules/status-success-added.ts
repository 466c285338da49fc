import type { Rule } from '../rule.ts'

export default {
  direction: 'response',
  area: 'status',
  kind: 'success',
  action: 'added',
  title: 'Success status added',
  explain:
    'The operation can answer in one more way. Clients have to handle statuses that they do not know by their first digit.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'status-success-removed',
  aliases: ['response-success-status-added'],
} satisfies Rule as Rule
