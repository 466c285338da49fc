import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'body',
  kind: 'itself',
  action: 'removed',
  title: 'Request body removed',
  explain: 'What a client sends is no longer read.',
  message: (fact) => `${fact.subject} was removed`,
  mirror: 'body-added',
  aliases: ['request-body-removed'],
} satisfies Rule as Rule
