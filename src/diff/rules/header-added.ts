import type { Rule } from '../rule.ts'

export default {
  direction: 'response',
  area: 'header',
  kind: 'itself',
  action: 'added',
  title: 'Response header added',
  explain: 'Clients may ignore it.',
  message: (fact) => `${fact.subject} was added`,
  mirror: 'header-removed',
  aliases: ['response-header-added'],
} satisfies Rule as Rule
