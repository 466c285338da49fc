import type { Rule } from '../rule.ts'

export default {
  direction: 'response',
  area: 'header',
  kind: 'required',
  action: 'added',
  title: 'Response header became required',
  explain: 'Clients can rely on it.',
  message: (fact) => `${fact.subject} became required`,
  mirror: 'header-required-removed',
} satisfies Rule as Rule
