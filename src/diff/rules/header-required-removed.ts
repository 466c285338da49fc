import type { Rule } from '../rule.ts'

export default {
  direction: 'response',
  area: 'header',
  kind: 'required',
  action: 'removed',
  title: 'Response header became optional',
  explain: 'Clients that rely on it can miss it.',
  message: (fact) => `${fact.subject} became optional`,
  mirror: 'header-required-added',
  aliases: ['response-header-became-optional'],
} satisfies Rule as Rule
