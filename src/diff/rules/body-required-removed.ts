import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'body',
  kind: 'required',
  action: 'removed',
  title: 'Request body became optional',
  explain: 'Requests may come without a body.',
  message: (fact) => `${fact.subject} became optional`,
  mirror: 'body-required-added',
  aliases: ['request-body-became-optional'],
} satisfies Rule as Rule
