import type { Rule } from '../rule.ts'

export default {
  direction: 'response',
  area: 'status',
  kind: 'failure',
  action: 'added',
  title: 'Failure status added',
  explain:
    'The operation can answer in one more way. Clients have to handle statuses that they do not know by their first digit.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'status-failure-removed',
  aliases: ['response-non-success-status-added'],
} satisfies Rule as Rule
