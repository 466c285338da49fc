import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'required',
  action: 'added',
  title: 'Parameter became required',
  explain: 'A request without it was complete before and is refused now.',
  message: (fact) => `${fact.subject} became required`,
  mirror: 'parameter-required-removed',
  aliases: ['request-parameter-became-required'],
} satisfies Rule as Rule
