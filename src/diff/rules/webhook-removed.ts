import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'webhook',
  kind: 'itself',
  action: 'removed',
  title: 'Webhook removed',
  explain: 'Whoever waits for this call waits in vain.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'webhook-added',
  aliases: ['webhook-removed'],
} satisfies Rule as Rule
