import type { Rule } from '../rule.ts'

export default {
  direction: 'response',
  area: 'status',
  kind: 'failure',
  action: 'removed',
  title: 'Failure status removed',
  explain:
    'The operation no longer fails in this way. Clients that handle it just do so no more; the switch `response-non-success-status-removed` can call it breaking.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'status-failure-added',
  aliases: ['response-non-success-status-removed'],
} satisfies Rule as Rule
