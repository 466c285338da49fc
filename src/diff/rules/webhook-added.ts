import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'webhook',
  kind: 'itself',
  action: 'added',
  title: 'Webhook added',
  explain: 'The service makes one more kind of call. Who does not subscribe notices nothing.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'webhook-removed',
  aliases: ['webhook-added'],
} satisfies Rule as Rule
