import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'parameter',
  kind: 'required',
  action: 'removed',
  title: 'Parameter became optional',
  explain: 'Requests may leave it out.',
  message: (fact) => `${fact.subject} became optional`,
  mirror: 'parameter-required-added',
  aliases: ['request-parameter-became-optional'],
} satisfies Rule as Rule
