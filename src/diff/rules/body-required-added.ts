import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'body',
  kind: 'required',
  action: 'added',
  title: 'Request body became required',
  explain: 'A request without a body was complete before and is refused now.',
  message: (fact) => `${fact.subject} became required`,
  mirror: 'body-required-removed',
  aliases: ['request-body-became-required'],
} satisfies Rule as Rule
